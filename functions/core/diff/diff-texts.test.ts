import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TextSide } from '../records/text-pair.ts'
import { diffTexts } from './diff-texts.ts'

const side = (text: string, mode: string | null = '100644'): TextSide => ({ text, mode })

/** Applies a diff with Git, and returns the content of the file after it. */
function applied(before: string, diff: string): string {
  const directory = mkdtempSync('/tmp/diff-texts-')
  try {
    writeFileSync(`${directory}/a.txt`, before)
    execFileSync('git', ['apply', '--unidiff-zero', '-'], { cwd: directory, input: diff })
    return readFileSync(`${directory}/a.txt`, 'utf8')
  } finally {
    rmSync(directory, { recursive: true })
  }
}

test('returns a unified diff with three lines around each change', () => {
  const lines = Array.from({ length: 12 }, (_, n) => `line ${n}`)
  const after = lines.with(6, 'changed')
  const [diff] = diffTexts([
    { path: 'a.txt', before: side(`${lines.join('\n')}\n`), after: side(`${after.join('\n')}\n`) },
  ])
  expect(diff).toBe(`diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -4,7 +4,7 @@
 line 3
 line 4
 line 5
-line 6
+changed
 line 7
 line 8
 line 9
`)
})

test('shows added and removed files, and changed modes', () => {
  expect(
    diffTexts([
      { path: 'new', before: null, after: side('x\n', '100755') },
      { path: 'old', before: side('x'), after: null },
      { path: 'run.sh', before: side('x\n'), after: side('x\n', '100755') },
      { path: 'host', before: side('x\n'), after: side('x\n', null) },
    ]),
  ).toEqual([
    'diff --git a/new b/new\nnew file mode 100755\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,1 @@\n+x\n',
    'diff --git a/old b/old\ndeleted file mode 100644\n--- a/old\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file\n',
    'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
    'diff --git a/host b/host\n',
  ])
})

test.each([
  ['an inserted first line', 'a\nb\n', 'x\na\nb\n'],
  ['a removed last line break', 'a\nb\n', 'a\nb'],
  ['an emptied file', 'a\nb', ''],
  ['line breaks of Windows', 'a\r\nb\r\n', 'a\r\nc\r\n'],
])('the diff of %s can be applied', (_, before, after) => {
  const [diff] = diffTexts([{ path: 'a.txt', before: side(before), after: side(after) }])
  expect(applied(before, diff ?? '')).toBe(after)
})

test('replaces everything between the first and the last change if a shortest diff takes long', () => {
  const text = (seed: number) =>
    Array.from({ length: 9000 }, (_, n) => `${(n * seed) % 7919}\n`).join('')
  const [before, after] = [`head\n${text(31)}tail`, `head\n${text(47)}tail`]
  const [diff] = diffTexts([{ path: 'a.txt', before: side(before), after: side(after) }])
  expect(diff).toContain('@@ -3,8999 +3,8999 @@')
  expect(applied(before, diff ?? '')).toBe(after)
})

test('returns null for a diff of more than 1 MiB', () => {
  const large = 'x'.repeat(600 * 1024)
  expect(
    diffTexts([{ path: 'a.txt', before: side(`${large}\n`), after: side(`y${large}\n`) }]),
  ).toEqual([null])
})
