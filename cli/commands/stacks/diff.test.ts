import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWorld } from '../../../local/harness/client.ts'
import { diffLines } from '../../output/diff-lines.ts'

const compose = (command: string) =>
  `services:\n  web:\n    image: busybox:latest\n    command: ${command}\n`

test('0: prints what the next deploy would write, as a patch', async () => {
  await using world = await clientWorld()
  await world.login()
  const cwd = join(world.home, 'shop')
  await mkdir(cwd)
  const saved = async (command: string, verb: string) => {
    await writeFile(join(cwd, 'compose.yaml'), compose(command))
    expect((await world.cli(`stacks ${verb} shop`, { cwd })).code).toBe(0)
  }
  await saved('sleep 1', 'create')
  expect((await world.cli('stacks deploy shop')).code).toBe(0)
  expect(await world.cli('stacks diff shop')).toEqual({
    code: 0,
    out: '',
    err: 'no differences\n',
  })
  await saved('sleep 2', 'update')
  const expected = `diff --git a/compose.yaml b/compose.yaml
--- a/compose.yaml
+++ b/compose.yaml
@@ -1,4 +1,4 @@
 services:
   web:
     image: busybox:latest
-    command: sleep 1
+    command: sleep 2
`
  expect(await world.cli('stacks diff shop')).toEqual({ code: 0, out: expected, err: '' })
  expect((await world.cli('stacks diff shop --from 1 --to 2')).out).toBe(expected)
  expect((await world.cli('stacks diff shop --from host')).out).toBe(expected)
  const { code, err } = await world.cli('stacks diff shop --from 7')
  expect({ code, err }).toEqual({ code: 1, err: 'cli: stack shop: revision 7 is not stored\n' })
})

test('colours lines by their sign, escapes them, and says why a file is not shown', () => {
  const diff =
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n--- a\tb\n+\u001b[31m\n'
  const shown = diffLines(
    [
      { path: 'x', change: 'modified', diff, hidden: null },
      { path: '.env', change: 'added', diff: null, hidden: 'secret' },
    ],
    (style, text) => `<${style}>${text}`,
  )
  expect(shown).toEqual([
    '<bold>diff --git a/x b/x',
    '<bold>--- a/x',
    '<bold>+++ b/x',
    '<cyan>@@ -1,2 +1,2 @@',
    ' same',
    '<red>--- a\tb',
    '<green>+\\u001b[31m',
    '<bold>.env: added (its content needs the permission stacks:secrets)',
  ])
})
