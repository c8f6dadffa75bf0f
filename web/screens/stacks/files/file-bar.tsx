import { useSignal } from '@preact/signals'
import { Download, Eye, EyeOff, ListTree, Pencil, Save, Trash2, Undo2 } from 'lucide'
import { useMemo } from 'preact/hooks'
import { act } from '../../../data/act.ts'
import { can } from '../../../data/session.ts'
import type { StackFile } from '../../../data/stack-files.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { Menu, type MenuItem } from '../../../parts/menu.tsx'
import { t } from '../../../text/text.ts'
import { ChangeFile } from './change-file.tsx'
import { deleteFile, downloadFile } from './file-actions.ts'
import { isManaged } from './managed.ts'
import type { StackDetails } from './stack.ts'
import { mainFileOf } from './tree.ts'
import type { Workspace } from './workspace.ts'

interface FileBarProps {
  stack: StackDetails
  /** Undefined if the stack does not have the file. */
  file: StackFile | undefined
  path: string
  workspace: Workspace
  isRevealed: boolean
  onReveal: () => void
  isModelShown: boolean
  onModel: () => void
  onSave: () => void
  /** Opens another file, or the main one. */
  onOpen: (path?: string) => void
}

/** The bar above the open file, with its actions. */
export function FileBar(props: FileBarProps) {
  const { file, path, workspace, isRevealed, onReveal, onSave } = props
  const openDialog = useSignal<'discard' | 'change' | 'delete' | undefined>(undefined)
  const edits = workspace.edits.value
  const isEdited = edits.has(path)
  const close = () => {
    openDialog.value = undefined
  }
  const mayUpdate = can('stacks:update')
  const whyReadOnly = mayUpdate ? whyManaged(props.stack, file) : t.files.readOnlyWhy
  return (
    <div class="files-bar">
      <code class="files-path">{path}</code>
      {isEdited && <Badge kind="attention">{t.files.unsaved}</Badge>}
      {whyReadOnly !== undefined && (
        <span title={whyReadOnly}>
          <Badge>{t.files.readOnly}</Badge>
        </span>
      )}
      <div class="files-buttons">
        {file?.secret && can('stacks:secrets') && (
          <IconButton
            icon={isRevealed ? EyeOff : Eye}
            label={isRevealed ? t.files.hide : t.files.show}
            onClick={onReveal}
          />
        )}
        <IconButton
          icon={ListTree}
          label={t.files.model}
          pressed={props.isModelShown}
          onClick={props.onModel}
        />
        {isEdited && (
          <IconButton
            icon={Undo2}
            label={t.files.discard}
            onClick={() => {
              openDialog.value = 'discard'
            }}
          />
        )}
        {file && (
          <FileMenu
            {...props}
            file={file}
            ask={(what) => {
              openDialog.value = what
            }}
          />
        )}
        {mayUpdate && edits.size > 0 && !workspace.merge.value && (
          <Button
            kind="primary"
            icon={Save}
            busy={workspace.save.pending.value && t.files.saving}
            onClick={onSave}
          >
            {t.files.save(edits.size)}
          </Button>
        )}
      </div>
      {openDialog.value === 'discard' && (
        <Confirm
          title={t.files.discardAsk(path)}
          action={t.files.discard}
          lost={t.files.discardLost}
          stays={t.files.discardStays}
          onClose={close}
          onConfirm={() => {
            workspace.discard(path)
            close()
          }}
        />
      )}
      {file && openDialog.value === 'change' && (
        <ChangeFile
          stack={props.stack}
          file={file}
          onClose={close}
          onDone={(next) => {
            close()
            props.onOpen(next)
          }}
        />
      )}
      {file && openDialog.value === 'delete' && (
        <DeleteFile {...props} file={file} onClose={close} />
      )}
    </div>
  )
}

/** Returns why a file cannot be changed here if it is that of the source of its stack. */
const whyManaged = (stack: StackDetails, file: StackFile | undefined): string | undefined =>
  stack.source && file && isManaged(stack, file) ? t.files.managed(stack.source.source) : undefined

type KnownFile = FileBarProps & { file: StackFile }

function FileMenu({
  stack,
  file,
  workspace,
  ask,
}: KnownFile & { ask: (what: 'change' | 'delete') => void }) {
  const download = useMemo(() => act(downloadFile, { failed: t.files.notDownloaded }), [])
  const { path } = file
  const isReadable = !file.secret || can('stacks:secrets')
  const isEdited = workspace.edits.value.has(path)
  const isMain = path === mainFileOf(stack.files)
  const blocked =
    whyManaged(stack, file) ??
    (isMain ? t.files.mainFile : isEdited ? t.files.saveFirst : undefined)
  const items: (MenuItem | false)[] = [
    isReadable &&
      file.link === null && {
        label: t.files.download,
        icon: Download,
        run: () => void download.run(stack.name, path),
      },
    can('stacks:update') &&
      isReadable && {
        label: t.files.rename,
        icon: Pencil,
        blocked,
        run: () => ask('change'),
      },
    can('stacks:update') && {
      label: t.files.delete,
      icon: Trash2,
      kind: 'danger',
      blocked,
      run: () => ask('delete'),
    },
  ]
  return items.some(Boolean) ? <Menu label={t.files.actions(path)} items={items} /> : null
}

function DeleteFile({ stack, file, onOpen, onClose }: KnownFile & { onClose: () => void }) {
  const { path } = file
  const remove = useMemo(
    () => act(deleteFile, { ended: () => t.files.deleted(path), failed: t.files.notDeleted }),
    [path],
  )
  return (
    <Confirm
      title={t.files.deleteAsk(path)}
      action={t.files.delete}
      lost={t.files.deleteLost}
      stays={t.files.deleteStays}
      busy={remove.pending.value && t.files.deleting}
      onClose={onClose}
      onConfirm={async () => {
        const isDone = await remove.run(stack.name, path, stack.revision)
        onClose()
        if (isDone) onOpen()
      }}
    />
  )
}
