import { expect, test } from 'vitest'
import { parseDiff } from './parse-diff.ts'

const diff = `--- compose.yaml
+++ compose.yaml
@@ -3,3 +3,4 @@
   web:
-    image: nginx:1
+    image: nginx:2
+    restart: always
     ports: []
@@ -10,1 +11,1 @@
-a: 1
+a: 2
\\ No newline at end of file
`

test('numbers the lines of both sides and counts those between the hunks', () => {
  expect(parseDiff(diff)).toEqual([
    { kind: 'gap', skipped: 2, text: '' },
    { kind: 'same', text: '  web:', before: 3, after: 3 },
    { kind: 'removed', text: '    image: nginx:1', before: 4 },
    { kind: 'added', text: '    image: nginx:2', after: 4 },
    { kind: 'added', text: '    restart: always', after: 5 },
    { kind: 'same', text: '    ports: []', before: 5, after: 6 },
    { kind: 'gap', skipped: 4, text: '' },
    { kind: 'removed', text: 'a: 1', before: 10 },
    { kind: 'added', text: 'a: 2', after: 11 },
  ])
})

test('a new file has no gap before it', () => {
  expect(parseDiff('@@ -0,0 +1,1 @@\n+a\n')).toEqual([{ kind: 'added', text: 'a', after: 1 }])
})

test('the same text has no lines', () => {
  expect(parseDiff('')).toEqual([])
})
