import { expect, test } from 'vitest'
import { commandWords } from './command-words.ts'

test.each([
  ['npm run migrate', ['npm', 'run', 'migrate']],
  ['', []],
  ['  ls  -l ', ['ls', '-l']],
  [`sh -c 'echo "$HOME"; id'`, ['sh', '-c', 'echo "$HOME"; id']],
  ['echo "a \\"b\\" \\n" c\\ d', ['echo', 'a "b" \\n', 'c d']],
  [`echo ''`, ['echo', '']],
  [`a'b'"c"`, ['abc']],
  [`echo 'open`, undefined],
  ['echo "open', undefined],
  ['echo \\', undefined],
])('%s: %o', (text, words) => {
  expect(commandWords(text)).toEqual(words)
})
