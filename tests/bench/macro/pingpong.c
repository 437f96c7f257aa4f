// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * pingpong ROUNDS: two processes send each other a byte through pipes, so that the CPU switches
 * between them twice in each round.
 */
#include <err.h>
#include <stdlib.h>
#include <unistd.h>

static void move(int from, int to)
{
	char byte;

	if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1)
		err(1, "a pipe");
}

int main(int argc, char **argv)
{
	long rounds = argc == 2 ? atol(argv[1]) : 0;
	int there[2], back[2];
	pid_t child;

	if (rounds <= 0)
		errx(2, "usage: pingpong ROUNDS");
	if (pipe(there) || pipe(back))
		err(1, "pipe");
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (child && write(there[1], "", 1) != 1)
		err(1, "a pipe");
	while (rounds--)
		move(child ? back[0] : there[0], child ? there[1] : back[1]);
	return 0;
}
