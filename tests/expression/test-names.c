// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/* Names that a kernel resolves: paths of cgroups, and functions on the stack. */
#include "event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../include/uapi/ltt/verdict.h"
#include "../unit/unit.h"
#include "interpret.h"

static const char *symbols_path;	/* NULL: those of this machine */
static const char *cgroup_root;
static const char *cgroup_type;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return __real_fopen(symbols_path && !strcmp(path, "/proc/kallsyms") ? symbols_path : path, mode);
}

FILE *__real_setmntent(const char *path, const char *mode);
FILE *__wrap_setmntent(const char *path, const char *mode);

FILE *__wrap_setmntent(const char *path, const char *mode)
{
	static char text[200];

	if (!cgroup_root)
		return __real_setmntent(path, mode);
	snprintf(text, sizeof(text), "cgroup /else cgroup rw 0 0\ncgroup %s %s rw 0 0\n", cgroup_root, cgroup_type);
	return fmemopen(text, strlen(text), "r");
}

/* Return: the number of the cgroup. */
static uint64_t make_cgroup(const char *path)
{
	char name[300];
	struct stat st;

	snprintf(name, sizeof(name), "%s%s", cgroup_root, path);
	CU_ASSERT_EQUAL(mkdir(name, 0700), 0);
	CU_ASSERT_EQUAL(stat(name, &st), 0);
	return st.st_ino;
}

static void make_link(const char *path, const char *to)
{
	char name[300];

	snprintf(name, sizeof(name), "%s%s", cgroup_root, path);
	CU_ASSERT_EQUAL(symlink(to, name), 0);
}

static void remove_tree(const char *path)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -r %s", path);
	CU_ASSERT_EQUAL(system(command), 0);
}

static void check_in_cgroup(const char *text, uint64_t cgroup, bool holds)
{
	struct expression_value values[EXPRESSION_CONTEXTS];

	memcpy(values, event_contexts, sizeof(values));
	values[EXPRESSION_CGROUP].number = cgroup;
	check_with(text, values, holds);
}

static void cgroups_have_paths(void)
{
	uint64_t root, a, b, c, many[EXPRESSION_CGROUPS_MAX + 1];
	char template[] = "/tmp/ltt-cgroups-XXXXXX";
	struct stat st;
	char path[40];
	size_t i;

	cgroup_root = mkdtemp(template);
	CU_ASSERT_EQUAL(stat(cgroup_root, &st), 0);
	root = st.st_ino;
	cgroup_type = "cgroup";
	check_error("cgroup == \"/\"", 11, -EINVAL, "cgroup2");
	cgroup_type = "cgroup2";
	a = make_cgroup("/a.slice");
	b = make_cgroup("/a.slice/b.service");
	c = make_cgroup("/c");
	check_in_cgroup("cgroup == \"/\"", root, true);
	check_in_cgroup("cgroup == \"/a.slice\"", a, true);
	check_in_cgroup("cgroup == \"/a.slice\"", b, false);
	check_in_cgroup("\"/a.slice/b.service\" == cgroup", b, true);
	check_in_cgroup("cgroup != \"/a.slice\"", a, false);
	check_in_cgroup("cgroup != \"/a.slice\" && pid == 1000", b, true);
	check_in_cgroup("!(cgroup ~ \"/a*\")", b, false);
	check_in_cgroup("cgroup ~ \"/a.slice/*\"", a, false);
	check_in_cgroup("cgroup ~ \"/a.slice/*\"", b, true);
	check_in_cgroup("cgroup ~ \"*\"", root, true);
	check_in_cgroup("cgroup ~ \"[/]?\"", c, true);
	check_in_cgroup("cgroup ~ \"*.service\"", b, true);
	check_in_cgroup("cgroup !~ \"*.service\"", b, false);
	check_in_cgroup("cgroup !~ \"*.service\"", c, true);
	check_in_cgroup("context.cgroup in (\"/c\", \"/a.slice\")", c, true);
	check_in_cgroup("cgroup in (\"/c\", \"/a.slice\")", b, false);
	check_in_cgroup("cgroup == 7 || cgroup == \"/c\"", 7, true);
	check_error("cgroup == \"/nowhere\"", 11, -EINVAL, "/nowhere");
	check_error("cgroup ~ \"/nowhere*\"", 10, -EINVAL, "matches");
	check_error("cgroup in (\"/c\", \"/d\")", 18, -EINVAL, "/d");
	check_error("cgroup in (\"/c\", 4)", 18, -EINVAL, "path");
	check_error("cgroup == \"c\"", 11, -EINVAL, "begins with /");
	check_error("cgroup ~ \"/[a\"", 10, -EINVAL, "glob");
	check_error("cgroup < \"/c\"", 8, -EINVAL, "order");
	check_error("pid == \"/c\"", 8, -EINVAL, "number");
	/* Other file systems have no cgroups. */
	make_link("/c/other", "/proc");
	check_error("cgroup == \"/c/other\"", 11, -EINVAL, "/c/other");
	check_error("cgroup ~ \"/c/other/*\"", 10, -EINVAL, "matches");
	check_error("cgroup == \"/../../proc\"", 11, -EINVAL, "/proc");
	for (i = 0; i <= EXPRESSION_CGROUPS_MAX; i++) {
		snprintf(path, sizeof(path), "/c/%03zu", i);
		many[i] = make_cgroup(path);
	}
	check_error("cgroup ~ \"/c/*\"", 10, -EINVAL, "256");
	for (i = 0; i <= 99; i++) {
		check_in_cgroup("cgroup ~ \"/c/0*\"", many[i], true);
		check_in_cgroup("cgroup !~ \"/c/0*\"", many[100 + i], true);
	}
	remove_tree(cgroup_root);
	cgroup_root = NULL;
}

static void check_stack(const char *text, bool holds)
{
	check_verdict(text, holds ? LTT_VERDICT_RECORD : 0);
}

/* Functions of the kernel and of a module, one of them in two parts, on the stack or not. */
static void functions_are_on_the_stack(void)
{
	char path[] = "/tmp/ltt-kallsyms-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	int i;

	fprintf(file, "0000000000000010 A fixed\nffffffff81000000 T tcp_sendmsg\nffffffff81000000 T tcp_alias\nffffffff81000100 t other\n"
		"ffffffff81000200 t tcp_sendmsg.cold\nffffffff81000220 T tcp_sendmsg_locked\nffffffff81000300 D tcp_data\n"
		"ffffffffc0000200 t in_module\t[m]\nffffffffc0000280 t behind\t[m]\nffffffffc0000240 t between\t[m]\n");
	for (i = 0; i <= EXPRESSION_PLACES_MAX; i++)
		fprintf(file, "ffffffffc10%05x t often\t[m]\n", i * 16);
	fclose(file);
	symbols_path = path;
	memcpy(interpret_stack, (uint64_t[]){ 0xffffffffc0000230, 0xffffffff81000210, 0xffffffff81000050 }, sizeof(interpret_stack));
	check_stack("on_stack(\"tcp_sendmsg\")", true);
	check_stack("!on_stack(\"tcp_sendmsg\")", false);
	check_stack("on_stack(\"tcp_alias\")", true);
	check_stack("on_stack(\"other\")", false);
	check_stack("on_stack(\"other\", \"in_module\") && pid == 1000", true);
	check_stack("pid == 1 || !on_stack(\"other\")", true);
	check_stack("on_stack(\"between\")", false);
	check_stack("path ~ \"*cat\" && on_stack(\"in_module\") && path ~ \"/usr*\"", true);
	check_stack("(on_stack(\"in_module\") + on_stack(\"other\")) == 1", true);
	interpret_stack_fails = true;
	check_stack("on_stack(\"tcp_sendmsg\")", false);
	check_stack("!on_stack(\"tcp_sendmsg\")", true);
	interpret_stack_fails = false;
	/* A return address is behind the call. */
	memcpy(interpret_stack, (uint64_t[]){ 0xffffffff81000100, 0, 0xffffffff81000150 }, sizeof(interpret_stack));
	check_stack("on_stack(\"tcp_sendmsg\")", true);
	check_stack("on_stack(\"other\")", false);
	check_error("on_stack(\"nowhere\")", 10, -EINVAL, "nowhere");
	check_error("on_stack(\"tcp_data\")", 10, -EINVAL, "tcp_data");
	check_error("on_stack(\"other\", \"often\")", 19, -EINVAL, "places");
	check_error("on_stack(\"often\")", 10, -EINVAL, "16");
	check_error("on_stack(\"\")", 10, -EINVAL, "quotes");
	check_error("on_stack(1)", 10, -EINVAL, "quotes");
	check_error("on_stack()", 10, -EINVAL, "quotes");
	check_error("on_stack(\"other\" 1)", 18, -EINVAL, ")");
	check_error("on_stack == 1", 1, -ENOENT, "on_stack");
	symbols_path = NULL;
	remove_tree(path);
}

/* A recording and a program have no such names. */
static void other_kernels_have_no_names(void)
{
	struct expression_scope elsewhere = event_scope;
	struct expression_bound *bound;
	struct expression_error error;
	struct expression *expression;

	elsewhere.knows_kernel = false;
	CU_ASSERT_EQUAL(expression_parse("cgroup == \"/\"", &expression, &error), 0);
	CU_ASSERT_EQUAL(expression_bind(expression, &elsewhere, &bound, &error), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "number"));
	expression_free(expression);
	CU_ASSERT_EQUAL(expression_parse("on_stack(\"vfs_read\")", &expression, &error), 0);
	CU_ASSERT_EQUAL(expression_bind(expression, &elsewhere, &bound, &error), -EINVAL);
	elsewhere.knows_kernel = true;
	elsewhere.contexts = expression_program_contexts;
	elsewhere.nr_contexts = EXPRESSION_PROGRAM_CONTEXTS;
	CU_ASSERT_EQUAL(expression_bind(expression, &elsewhere, &bound, &error), -EINVAL);
	expression_free(expression);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(cgroups_have_paths),
		UNIT_TEST(functions_are_on_the_stack),
		UNIT_TEST(other_kernels_have_no_names),
		{ NULL, NULL }
	};

	(void)argc;
	return unit_main(argv[0], tests);
}
