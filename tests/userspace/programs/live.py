# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Recordings that a collector, the stock lttng-relayd, shows while they are made."""
import json
import os
import socket
import subprocess

from bench import check, equal, wait_until
from sending import Relayd, begin, end

EVENTS = 100


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def facts(rows_):
    return [(row['time'], row['tid'], row['event'], row['fields']) for row in rows_]


def view(bench, url, *options):
    """Print the events of a session to the file `shown`."""
    (bench.folder / 'view').mkdir(exist_ok=True)
    with open(bench.folder / 'shown', 'w') as shown:
        process = subprocess.Popen([bench.built / 'lttctl', 'view', '--live', url, *options], stdout=shown,
                                   stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, 'TMPDIR': str(bench.folder / 'view')})
    bench.started.append(process)
    return process


def sessions(bench, relayd):
    """The addresses of what can be viewed."""
    return subprocess.run([bench.built / 'lttctl', 'view', '--live', f'net://{relayd.host}:{relayd.ports[2]}'],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def in_flight(bench, relayd):
    """A recording that has events and goes on until a line comes, and the address for viewers."""
    process = begin(bench, relayd.url('flight'), *bench.prog('count-and-wait', EVENTS), stdin=subprocess.PIPE)
    bench.started.append(process)
    wait_until('the session', lambda: sessions(bench, relayd))
    return process, sessions(bench, relayd)[0]


def finish(bench, process):
    process.stdin.write('\n')
    process.stdin.close()
    process.stdin = None
    end(bench, process)


def test_view_live_shows_a_recording_in_flight(bench):
    """All events are shown while their program runs, once, in order; the view ends after the recording, and leaves nothing."""
    relayd = Relayd(bench).start()
    process, url = in_flight(bench, relayd)
    shown = bench.folder / 'shown'
    viewer = view(bench, f'net://{relayd.host}:{relayd.ports[2]}/flight', '--json', '-e', 'count')
    wait_until('the events', lambda: len(rows(shown)) == EVENTS)
    equal('the view still runs', None, viewer.poll())
    equal('the host', f'/host/{socket.gethostname()}/flight-', url.partition(str(relayd.ports[2]))[2][:-len('20261126-183907')])
    finish(bench, process)
    said = viewer.communicate(timeout=60)[1]
    equal('the view', (0, ''), (viewer.returncode, said))
    whole = subprocess.run([bench.built / 'lttctl', 'view', '--json', '-e', 'count', relayd.session()],
                           stdout=subprocess.PIPE, text=True, check=True).stdout
    equal('the events', facts(json.loads(line) for line in whole.splitlines()), facts(rows(shown)))
    equal('what is left', [], list((bench.folder / 'view').iterdir()))


def test_view_live_keeps_the_last_pieces(bench):
    """And shows all events, also the last ones of each piece, and of the recording."""
    relayd = Relayd(bench).start()
    many = 20000
    process = begin(bench, relayd.url('flight'), *bench.prog('forever', 100, many), options=['--piece-size', '64k'])
    bench.started.append(process)
    wait_until('the session', lambda: sessions(bench, relayd))
    shown = bench.folder / 'shown'
    viewer = view(bench, sessions(bench, relayd)[0], '--csv', '--fields', 'i', '-e', 'count')
    wait_until('there are some pieces', lambda: len(list(relayd.out.glob('*/*/0*'))) > 6)
    wait_until('old pieces are removed', lambda: not list((bench.folder / 'view').glob('*/0001')))
    equal('the view still runs', None, viewer.poll())
    end(bench, process)
    said = viewer.communicate(timeout=60)[1]
    equal('the view', (0, ''), (viewer.returncode, said))
    numbers = [line.split(',')[-1] for line in shown.read_text().splitlines()[1:]]
    wrong = [(want, got) for want, got in zip(map(str, range(many)), numbers) if want != got]
    equal('the events, and the first one that is wrong', (many, []), (len(numbers), wrong[:1]))


def test_view_live_ends_by_a_signal(bench):
    relayd = Relayd(bench).start()
    process, url = in_flight(bench, relayd)
    viewer = view(bench, url, '--csv')
    wait_until('the events', lambda: (bench.folder / 'shown').read_text().count('\n') > EVENTS)
    viewer.terminate()
    viewer.communicate(timeout=60)
    equal('status', 0, viewer.returncode)
    equal('what is left', [], list((bench.folder / 'view').iterdir()))
    finish(bench, process)


def test_babeltrace2_follows_a_recording(bench):
    """The stock reader, which begins with what comes next, has nothing to say.  It may not learn of a buffer that begins later, as
    that of another CPU, before it has shown later times."""
    relayd = Relayd(bench).start()
    process = begin(bench, relayd.url('flight'), 'taskset', '1', *bench.prog('forever', 5000, 1000))
    bench.started.append(process)
    wait_until('the session', lambda: sessions(bench, relayd) and relayd.received())
    shown = bench.folder / 'shown'
    with open(shown, 'w') as output:
        viewer = subprocess.Popen(['stdbuf', '-oL', '/usr/bin/babeltrace2', '-i', 'lttng-live', sessions(bench, relayd)[0]],
                                  stdout=output, stderr=subprocess.PIPE, text=True)
    bench.started.append(viewer)
    wait_until('the events', lambda: viewer.poll() is not None or shown.read_text().count('count: ') > EVENTS)
    equal('babeltrace2 still runs', (None, ''), (viewer.poll(), viewer.poll() and viewer.stderr.read() or ''))
    viewer.terminate()
    equal('what babeltrace2 has to say', '', viewer.communicate(timeout=60)[1])
    end(bench, process)


def test_a_collector_that_goes_away(bench):
    relayd = Relayd(bench).start()
    process, url = in_flight(bench, relayd)
    viewer = view(bench, url, '--json', '-e', 'count')
    wait_until('the events', lambda: len(rows(bench.folder / 'shown')) == EVENTS)
    relayd.kill()
    viewer.communicate(timeout=60)
    equal('status', 1, viewer.returncode)
    equal('what is left', [], list((bench.folder / 'view').iterdir()))
    relayd.start()
    finish(bench, process)
