import { useSignal } from '@preact/signals'
import { ChevronDown, ChevronRight, File, FileLock, FilePlus, Upload } from 'lucide'
import type { StackFile } from '../../../data/stack-files.ts'
import { Badge } from '../../../parts/badge.tsx'
import { IconButton } from '../../../parts/button.tsx'
import { formatBytes } from '../../../parts/format-bytes.ts'
import { Icon } from '../../../parts/icon.tsx'
import { onRowKey } from '../../../parts/row-keys.ts'
import { t } from '../../../text/text.ts'
import { rowsOf, type TreeRow } from './tree.ts'

interface FileTreeProps {
  files: readonly StackFile[]
  current: string | undefined
  hrefOf: (path: string) => string
  /** Files with changes that are not saved. */
  changed: (path: string) => boolean
  /** How many errors a file has. */
  errors: (path: string) => number
  /** Without them files cannot be added. */
  onNew: (() => void) | undefined
  onUpload: ((files: readonly File[]) => void) | undefined
}

/** The files of a stack as a tree. Files can be dropped on it. */
export function FileTree(props: FileTreeProps) {
  const { files, onNew, onUpload } = props
  const closed = useSignal<ReadonlySet<string>>(new Set())
  const toggle = (path: string) => {
    const next = new Set(closed.value)
    if (!next.delete(path)) next.add(path)
    closed.value = next
  }
  return (
    <section
      class="files-tree"
      aria-label={t.files.tree}
      onDragOver={(event) => onUpload && event.preventDefault()}
      onDrop={(event) => {
        if (!onUpload || !event.dataTransfer?.files.length) return
        event.preventDefault()
        onUpload([...event.dataTransfer.files])
      }}
    >
      <header>
        <h2>{t.files.tree}</h2>
        {onNew && <IconButton icon={FilePlus} label={t.files.new} onClick={onNew} />}
        {onUpload && (
          <IconButton icon={Upload} label={t.files.upload} onClick={() => onUpload([])} />
        )}
      </header>
      <ul onKeyDown={onRowKey}>
        {rowsOf(files, closed.value).map((row) => (
          <li key={row.path} data-row="" style={{ '--depth': row.depth }}>
            {row.kind === 'folder' ? (
              <button
                type="button"
                class="tree-row"
                aria-expanded={row.isOpen}
                onClick={() => toggle(row.path)}
              >
                <Icon of={row.isOpen ? ChevronDown : ChevronRight} />
                <span class="tree-name">{row.name}</span>
              </button>
            ) : (
              <FileRow {...props} row={row} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

type FileLine = Extract<TreeRow, { kind: 'file' }>

function FileRow({ row, current, hrefOf, changed, errors }: FileTreeProps & { row: FileLine }) {
  const { path, name, file } = row
  const count = errors(path)
  return (
    <a class="tree-row" href={hrefOf(path)} aria-current={path === current ? 'page' : undefined}>
      <Icon of={file.secret ? FileLock : File} />
      <span class="tree-name">{name}</span>
      {file.secret && <span class="hidden-text">{t.files.secret}</span>}
      {changed(path) && (
        <span class="tree-changed" title={t.files.changed}>
          <span class="hidden-text">{t.files.changed}</span>
        </span>
      )}
      {count > 0 && (
        <Badge kind="failed">
          {count}
          <span class="hidden-text">{t.files.problems(count, 0)}</span>
        </Badge>
      )}
      <span class="tree-fact">{file.link === null ? file.mode : '→'}</span>
      <span class="tree-fact tree-size">{formatBytes(file.size)}</span>
    </a>
  )
}
