import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { languageOf } from '../../../parts/editor/language-of.ts'
import { Editor } from '../../../parts/editor.tsx'
import { t } from '../../../text/text.ts'
import type { Merge, Workspace } from './workspace.ts'

interface MergePaneProps {
  merge: Merge
  workspace: Workspace
}

/** The changes of both, with what differs from what the other one saved. */
export function MergePane({ merge, workspace }: MergePaneProps) {
  const { path, theirs, revision, merged } = merge
  const text = useSignal(merged.text)
  const marks = useMemo(
    () =>
      merged.conflicts.map((line) => ({
        line,
        column: 1,
        severity: 'warning' as const,
        message: t.files.mergeHere,
      })),
    [merged],
  )
  const count = merged.conflicts.length
  return (
    <section class="files-merge" aria-label={t.files.mergeTitle(path)}>
      <header>
        <h2>{t.files.mergeTitle(path)}</h2>
        <p>{count === 0 ? t.files.mergeNone(revision) : t.files.mergeSome(count, revision)}</p>
        <div class="files-buttons">
          <Button onClick={() => workspace.endMerge()}>{t.files.mergeLater}</Button>
          <Button onClick={() => workspace.endMerge(theirs)}>{t.files.mergeTheirs}</Button>
          <Button
            kind="primary"
            onClick={() => {
              workspace.endMerge(text.value)
              void workspace.save.run()
            }}
          >
            {t.files.mergeSave}
          </Button>
        </div>
      </header>
      <Editor
        label={t.files.mergeTitle(path)}
        language={languageOf(path)}
        value={text.value}
        onInput={(value) => {
          text.value = value
        }}
        problems={marks}
        mergeWith={theirs}
      />
    </section>
  )
}
