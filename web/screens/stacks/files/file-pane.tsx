import { useMemo } from 'preact/hooks'
import { useResource } from '../../../data/cache.ts'
import { can } from '../../../data/session.ts'
import type { FileContent, StackFile } from '../../../data/stack-files.ts'
import { Loaded } from '../../../frame/loaded.tsx'
import { Button } from '../../../parts/button.tsx'
import { languageOf } from '../../../parts/editor/language-of.ts'
import type { EditorProblem } from '../../../parts/editor/positions.ts'
import { Editor } from '../../../parts/editor.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { NoPermission } from '../../../parts/no-permission.tsx'
import { t } from '../../../text/text.ts'
import { EnvOrigins } from './env-origins.tsx'
import { maskEnv } from './mask.ts'
import type { Workspace } from './workspace.ts'

interface FilePaneProps {
  name: string
  file: StackFile
  workspace: Workspace
  /** It is a file of the source that the stack follows. */
  isManaged: boolean
  /** The stack follows a source. */
  isFollowing: boolean
  problems: readonly EditorProblem[]
  goTo: { line: number; column: number } | undefined
  /** Whether the values of a secret file are shown. */
  isRevealed: boolean
  onReveal: () => void
  onSave: () => void
}

const largest = 2 * 1024 * 1024

/** The content of a file, or why it is not shown. */
export function FilePane(props: FilePaneProps) {
  const { file, isRevealed, onReveal } = props
  const isEnv = languageOf(file.path) === 'env'
  if (file.link !== null) {
    return <Empty title={t.files.link(file.link)}>{t.files.linkWhy}</Empty>
  }
  if (file.secret && !can('stacks:secrets')) return <NoPermission permission="stacks:secrets" />
  if (file.size > largest) return <Empty title={t.files.large}>{t.files.largeWhy}</Empty>
  if (file.secret && !isRevealed && !isEnv) {
    return (
      <Empty title={t.files.hidden} action={<Button onClick={onReveal}>{t.files.showFile}</Button>}>
        {t.files.hiddenWhy}
      </Empty>
    )
  }
  return <StoredFile {...props} />
}

function StoredFile(props: FilePaneProps) {
  const { name, file } = props
  const { path } = file
  const read = useResource('/stacks/{name}/file', { name, path })
  // A text on the page stays as it is while the file cannot be read again.
  const problem = { value: read.value.value ? undefined : read.problem.value }
  return (
    <Loaded of={{ ...read, problem }} what={t.files.file(path)} failed={t.files.fileFailed(path)}>
      {(stored) =>
        stored.content === null ? (
          <Empty title={t.files.binary}>{t.files.binaryWhy}</Empty>
        ) : (
          <TextFile {...props} stored={stored} content={stored.content} />
        )
      }
    </Loaded>
  )
}

function TextFile(props: FilePaneProps & { stored: FileContent; content: string }) {
  const { file, workspace, problems, goTo, isRevealed, onSave, stored, content } = props
  const { path, secret } = file
  const edit = workspace.edits.value.get(path)
  const text = edit?.text ?? content
  const isMasked = secret && !isRevealed
  const masked = useMemo(() => (isMasked ? maskEnv(text) : text), [isMasked, text])
  const isOutdated = edit !== undefined && edit.base !== content && edit.text !== content
  const mayWrite = can('stacks:update') && !isMasked && !props.isManaged
  return (
    <>
      {isOutdated && (
        <div class="files-newer" role="alert">
          <span>{t.files.newer(path)}</span>
          <Button onClick={() => void workspace.startMerge(path, stored)}>{t.files.merge}</Button>
        </div>
      )}
      {stored.variables && (
        <EnvOrigins variables={stored.variables} isFollowing={props.isFollowing} />
      )}
      <Editor
        // Another history of changes: undo must not bring hidden values back.
        key={isMasked ? 'masked' : mayWrite ? 'text' : 'read-only'}
        label={path}
        language={languageOf(path)}
        value={masked}
        onInput={mayWrite ? (next) => workspace.write(stored, next) : undefined}
        onSave={onSave}
        problems={isMasked ? undefined : problems}
        goTo={goTo}
      />
    </>
  )
}
