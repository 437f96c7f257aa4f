# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""A recording that is looked at while it is made."""
import json
import subprocess

from bench import equal, wait_until


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_view_follows_a_recording(bench):
    """Each event of programs that come and go is shown, while they run; view ends when lttd does."""
    shown = bench.folder / 'shown'
    run = bench.start(bench.built / 'lttctl', 'record', '-o', bench.folder / 'live', '-e', 'user:test:*', '--',
                      *bench.prog('count-and-wait', 100))
    with open(shown, 'w') as output:
        view = subprocess.Popen([bench.built / 'lttctl', 'view', '--follow', '--json', '-e', 'count', bench.folder / 'live'],
                                stdout=output)
        bench.started.append(view)
        wait_until('the first events', lambda: len(rows(shown)) == 100)
        equal('view still runs', None, view.poll())
        run.stdin.write('\n')
        run.stdin.close()
        run.wait()
        equal('status of view', 0, view.wait(60))
    whole = subprocess.run([bench.built / 'lttctl', 'view', '--json', '-e', 'count', bench.folder / 'live'],
                           stdout=subprocess.PIPE, text=True, check=True).stdout
    facts = lambda row: (row['time'], row['tid'], row['fields']['i'])
    equal('events', [facts(json.loads(line)) for line in whole.splitlines()], [facts(row) for row in rows(shown)])
