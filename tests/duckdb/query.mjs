// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
//
// Print the results of queries in DuckDB's SQL, one JSON array of rows a line:
//   node query.mjs MODULES QUERY...
import { createRequire } from 'node:module';

const [modules, ...queries] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${modules}/`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
for (const query of queries) {
  const result = await connection.runAndReadAll(query);
  console.log(JSON.stringify(result.getRowsJson()));
}
