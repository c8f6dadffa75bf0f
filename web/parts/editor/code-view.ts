import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { t } from '../../text/text.ts'
import { nonce } from '../nonce.ts'
import { composeHelp } from './compose-language.ts'
import { editorTheme } from './editor-theme.ts'
import type { Language } from './language-of.ts'
import { highlightingOf } from './languages.ts'
import { keepEnds, withoutMark } from './line-ends.ts'
import { diagnosticsOf, type EditorProblem, offsetOf } from './positions.ts'

export interface CodeOptions {
  /** The accessible name. */
  label: string
  language: Language
  text: string
  isReadOnly: boolean
  /** An example, shown while the text is empty. */
  placeholder?: string | undefined
  onInput: (text: string) => void
  onSave: () => void
}

/** An editor in the page. */
export interface CodeView {
  setText(text: string): void
  setReadOnly(isReadOnly: boolean): void
  setProblems(problems: readonly EditorProblem[]): void
  /** Moves to a position, counted from 1, and focuses the editor. */
  goTo(line: number, column: number): void
  destroy(): void
}

const locked = (isReadOnly: boolean): Extension => [
  EditorState.readOnly.of(isReadOnly),
  // It stays in the order of Tab and can be searched, but has no caret.
  EditorView.editable.of(!isReadOnly),
  isReadOnly ? EditorView.contentAttributes.of({ tabindex: '0', 'aria-readonly': 'true' }) : [],
]

/** Everything that an editor has, whatever is done with it. */
export const basics = (label: string, language: Language): Extension => [
  EditorView.cspNonce.of(nonce),
  EditorState.phrases.of(t.editor.phrases),
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': 'true' }),
  lineNumbers(),
  highlightActiveLineGutter(),
  history(),
  drawSelection(),
  indentOnInput(),
  indentUnit.of('  '),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search(),
  highlightingOf(language),
  language === 'compose' ? composeHelp : [],
  keymap.of([
    ...[...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap],
    ...[...completionKeymap, ...lintKeymap],
    // Escape, then Tab leaves the editor.
    indentWithTab,
  ]),
  editorTheme,
]

/**
 * Creates an editor in a place of the page.
 *
 * @param more what this one has in addition
 */
export function createView(
  parent: HTMLElement,
  options: CodeOptions,
  more: Extension = [],
): CodeView {
  const lock = new Compartment()
  let isOurs = false
  let withEnds = keepEnds(options.text)
  // Texts that were typed and are not back from the owner yet.
  let typed: string[] = []
  const save = () => {
    options.onSave()
    return true
  }
  const extensions = [
    keymap.of([{ key: 'Mod-s', run: save, preventDefault: true }]),
    basics(options.label, options.language),
    lintGutter(),
    lock.of(locked(options.isReadOnly)),
    options.placeholder ? placeholder(options.placeholder) : [],
    more,
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged || isOurs) return
      const text = withEnds(state.doc.toString())
      typed.push(text)
      options.onInput(text)
    }),
  ]
  const state = EditorState.create({ doc: withoutMark(options.text), extensions })
  const view = new EditorView({ state, parent })
  return {
    setText(text) {
      const echo = typed.lastIndexOf(text)
      typed = typed.slice(echo + 1)
      // The owner is behind: what was typed since must stay.
      if (echo !== -1 && typed.length > 0) return
      typed = []
      if (text === withEnds(view.state.doc.toString())) return
      withEnds = keepEnds(text)
      isOurs = true
      const insert = withoutMark(text)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } })
      isOurs = false
    },
    setReadOnly: (isReadOnly) => view.dispatch({ effects: lock.reconfigure(locked(isReadOnly)) }),
    setProblems: (problems) =>
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state.doc, problems))),
    goTo(line, column) {
      const anchor = offsetOf(view.state.doc, line, column)
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}
