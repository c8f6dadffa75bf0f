import './editor.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { loadAgain } from '../browser/load-again.ts'
import { t } from '../text/text.ts'
import type { CodeView } from './editor/code-view.ts'
import type { Language } from './editor/language-of.ts'
import type { EditorProblem } from './editor/positions.ts'
import { Problem } from './problem.tsx'
import { Skeleton } from './skeleton.tsx'

export interface EditorProps {
  /** The accessible name: the path of the file. */
  label: string
  /** `compose` completes and explains by the schema of compose files. */
  language: Language
  value: string
  /** Without it the text can be read only. */
  onInput?: ((value: string) => void) | undefined
  /** Ctrl S. */
  onSave?: (() => void) | undefined
  /** Marked at their lines. */
  problems?: readonly EditorProblem[] | undefined
  /** A position to go to. Another object goes there again. */
  goTo?: { line: number; column: number } | undefined
  /** Shows the differences from this text, and lets the reader take them over one by one. */
  mergeWith?: string | undefined
  /** An example, shown while the text is empty. */
  placeholder?: string
}

/**
 * A text editor with line numbers, search and problems, loaded when it is shown first. It is as
 * high as the place around it. Another `label` or `language` begins a new history of changes.
 */
export function Editor(props: EditorProps) {
  const { label, language, value, onInput, problems, goTo } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useSignal<CodeView | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    let made: CodeView | undefined
    let isGone = false
    const load = async () => {
      const create = await creatorFor(latest.current.mergeWith)
      if (isGone || !host.current) return
      made = create(host.current, {
        label,
        language,
        text: latest.current.value,
        isReadOnly: latest.current.onInput === undefined,
        placeholder: latest.current.placeholder,
        onInput: (text) => latest.current.onInput?.(text),
        onSave: () => latest.current.onSave?.(),
      })
      view.value = made
    }
    load().catch((error) => {
      failure.value = String(error)
    })
    return () => {
      isGone = true
      view.value = undefined
      made?.destroy()
    }
  }, [label, language])
  const shown = view.value
  const isReadOnly = onInput === undefined
  useEffect(() => shown?.setText(value), [shown, value])
  useEffect(() => shown?.setReadOnly(isReadOnly), [shown, isReadOnly])
  // While the text changes the marks move with it, until there are newer ones.
  useEffect(() => shown?.setProblems(problems ?? []), [shown, problems])
  useEffect(() => {
    if (goTo) shown?.goTo(goTo.line, goTo.column)
  }, [shown, goTo])
  return (
    <div class="editor">
      {failure.value && <Problem title={t.editor.failed} error={failure.value} />}
      {!shown && !failure.value && <Skeleton what={t.editor.what} rows={8} />}
      <div ref={host} class="editor-host" />
    </div>
  )
}

/** The view of a merge is loaded only when there is one. */
async function creatorFor(mergeWith: string | undefined) {
  if (mergeWith === undefined)
    return (await loadAgain(() => import('./editor/code-view.ts'))).createView
  const { mergeCreator } = await loadAgain(() => import('./editor/merge-view.ts'))
  return mergeCreator(mergeWith)
}
