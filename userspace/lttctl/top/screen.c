// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The terminal of lttctl top: keys without Enter, its size, and signals.
 *
 * Layer: lttctl top.  The terminal gets back its settings at the end; a signal that ends the command is a key.
 */
#include "top.h"
#include "lttctl/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define SHOW_OTHER_SCREEN	"\033[?1049h\033[?25l"
#define SHOW_FIRST_SCREEN	"\033[?25h\033[?1049l"

static struct termios before;

/* Messages on stderr would be lost with the other screen. */
static int messages = -1;
static int first_stderr = -1;

static void hold_messages(void)
{
	messages = memfd_create("messages", MFD_CLOEXEC);
	first_stderr = messages < 0 ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (first_stderr >= 0)
		dup2(messages, STDERR_FILENO);
}

static void print_messages(void)
{
	char text[4096];
	ssize_t len;

	if (first_stderr < 0)
		return;
	dup2(first_stderr, STDERR_FILENO);
	close(first_stderr);
	lseek(messages, 0, SEEK_SET);
	while ((len = read(messages, text, sizeof(text))) > 0)
		fwrite(text, 1, len, stderr);
	close(messages);
	first_stderr = messages = -1;
}

int64_t screen_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void measure(struct screen *screen)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col) {
		screen->lines = 24;
		screen->columns = 80;
		return;
	}
	screen->lines = size.ws_row;
	screen->columns = size.ws_col;
}

static int open_signals(struct screen *screen)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	screen->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return screen->signals < 0 ? complain("cannot receive signals: %s", strerror(errno)) : 0;
}

int screen_open(struct screen *screen, bool uses_terminal)
{
	struct termios keys;
	int status = open_signals(screen);

	if (status)
		return status;
	if (!uses_terminal || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before))
		return 0;
	keys = before;
	keys.c_lflag &= ~(ICANON | ECHO);
	keys.c_cc[VMIN] = 0;
	keys.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &keys))
		return complain("cannot read keys: %s", strerror(errno));
	screen->is_terminal = true;
	measure(screen);
	hold_messages();
	fputs(SHOW_OTHER_SCREEN, stdout);
	return 0;
}

void screen_close(struct screen *screen)
{
	if (screen->is_terminal) {
		fputs(SHOW_FIRST_SCREEN, stdout);
		fflush(stdout);
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
		print_messages();
		screen->is_terminal = false;
	}
	if (screen->signals >= 0)
		close(screen->signals);
	screen->signals = -1;
}

static enum key take_signal(struct screen *screen)
{
	struct signalfd_siginfo info;
	enum key key = KEY_NONE;

	while (read(screen->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGWINCH)
			measure(screen);
		else if (info.ssi_signo != SIGCHLD)
			key = KEY_QUIT;
	}
	return key;
}

static enum key take_key(struct screen *screen)
{
	char c;

	/* The terminal is gone. */
	if (read(STDIN_FILENO, &c, 1) != 1)
		return KEY_QUIT;
	switch (c) {
	case 'c':
		screen->order = TOP_CPU;
		return KEY_SORT;
	case 'l':
		screen->order = TOP_LATENCY;
		return KEY_SORT;
	case 's':
		screen->order = TOP_CALLS;
		return KEY_SORT;
	case 'w':
		screen->order = TOP_SWITCHES;
		return KEY_SORT;
	case 'r':
		return KEY_RECORD;
	case 'h':
	case '?':
		return KEY_HELP;
	case 'q':
	case 'Q':
		return KEY_QUIT;
	default:
		return KEY_NONE;
	}
}

enum key screen_wait(struct screen *screen, int64_t until_ms)
{
	struct pollfd fds[] = {
		{ .fd = screen->signals, .events = POLLIN },
		{ .fd = screen->is_terminal ? STDIN_FILENO : -1, .events = POLLIN },
	};
	enum key key = KEY_NONE;
	int64_t left;

	fflush(stdout);
	/* One look at least: where a sample takes longer than the interval, no time is left, and keys would never be read. */
	do {
		left = until_ms - screen_now_ms();
		if (poll(fds, 2, left < 0 ? 0 : left > 60000 ? 60000 : left) < 0 && errno != EINTR)
			return KEY_QUIT;
		if (fds[0].revents)
			key = take_signal(screen);
		if (key == KEY_NONE && fds[1].revents)
			key = take_key(screen);
	} while (key == KEY_NONE && left > 0);
	return key;
}
