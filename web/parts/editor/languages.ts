import { yaml } from '@codemirror/lang-yaml'
import { StreamLanguage } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import type { Language } from './language-of.ts'

/** Lines `NAME=value`, with comments. */
const env = StreamLanguage.define<{ isValue: boolean }>({
  name: 'env',
  startState: () => ({ isValue: false }),
  token(stream, state) {
    if (stream.sol()) state.isValue = false
    if (stream.eatSpace()) return null
    if (!state.isValue && stream.match(/^#.*/)) return 'comment'
    if (!state.isValue && stream.match(/^(?:export\s+)?[\w.-]+/)) return 'propertyName'
    if (!state.isValue && stream.eat('=')) {
      state.isValue = true
      return 'operator'
    }
    stream.skipToEnd()
    return 'string'
  },
  languageData: { commentTokens: { line: '#' } },
})

/** Returns how the text of a language is coloured and indented. */
export function highlightingOf(language: Language): Extension {
  if (language === 'text') return []
  return language === 'env' ? env : yaml()
}
