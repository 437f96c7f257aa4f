// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
//
// Print the results of queries in DuckDB's SQL, one JSON array of rows a line:
//   node query.mjs [--measure] MODULES QUERY...
// With --measure each line is [rows, seconds, bytes that were read].
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const words = process.argv.slice(2);
const measure = words[0] === '--measure';
const [modules, ...queries] = words.slice(measure ? 1 : 0);
const bytesRead = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))[1]);
const { DuckDBInstance } = createRequire(`${modules}/`)('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
for (const query of queries) {
  const before = bytesRead(), began = performance.now();
  const result = await connection.runAndReadAll(query);
  const seconds = (performance.now() - began) / 1000, rows = result.getRowsJson();
  console.log(JSON.stringify(measure ? [rows, seconds, bytesRead() - before] : rows));
}
