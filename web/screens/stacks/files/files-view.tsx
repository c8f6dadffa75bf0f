import './files.css'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { can, session } from '../../../data/session.ts'
import { go, useQuery } from '../../../frame/address.ts'
import { usePalette } from '../../../frame/palette-state.ts'
import { useShortcuts } from '../../../frame/shortcuts.ts'
import { isPhone } from '../../../parts/phone.ts'
import { t } from '../../../text/text.ts'
import { FileTree } from './file-tree.tsx'
import { FilesMain } from './files-main.tsx'
import { ModelPane } from './model-pane.tsx'
import { NewFile } from './new-file.tsx'
import type { StackDetails } from './stack.ts'
import { mainFileOf, overlaysOf } from './tree.ts'
import { UploadFiles } from './upload-files.tsx'
import { useChecked } from './use-workspace.ts'
import { workspaceOf } from './workspace.ts'

/** In the address. No overlay has such a name. */
const noOverlay = '-'

/** The files of a stack: tree, editor, problems and the resolved model. */
export function FilesView({ stack }: { stack: StackDetails }) {
  const { name, files, created_at } = stack
  const user = session.user.value?.id ?? ''
  const workspace = useMemo(() => workspaceOf({ name, created_at }, user), [name, created_at, user])
  const [opened] = useQuery('file')
  const [model, setModel] = useQuery('model')
  const adding = useSignal<'new' | readonly File[] | undefined>(undefined)
  const path = opened || mainFileOf(files) || ''
  const edits = workspace.edits.value
  const validation = useChecked(stack, workspace)
  const hrefOf = (to: string) =>
    `/stacks/${encodeURIComponent(name)}/files?${new URLSearchParams({ file: to, ...(model && { model }) })}`
  const open = (to?: string) => go(hrefOf(to ?? mainFileOf(files) ?? ''))
  const problems = validation.problems.value ?? []
  const toggleModel = () => setModel(model === '' ? noOverlay : '')
  const mayUpdate = can('stacks:update')
  const askNew = () => {
    adding.value = 'new'
  }
  const close = () => {
    adding.value = undefined
  }
  useShortcuts([
    ...(mayUpdate ? [{ keys: 'n', label: t.files.new, run: askNew }] : []),
    { keys: 'm', label: t.files.model, run: toggleModel },
  ])
  usePalette(() =>
    files.map((one) => ({ label: one.path, hint: t.files.tree, href: hrefOf(one.path) })),
  )
  return (
    <div
      class="files"
      data-open={opened !== '' || undefined}
      data-model={model !== '' || undefined}
    >
      <FileTree
        files={files}
        current={isPhone.value ? opened : path}
        hrefOf={hrefOf}
        changed={(one) => edits.has(one)}
        errors={(one) =>
          problems.filter((found) => found.path === one && found.severity === 'error').length
        }
        onNew={mayUpdate ? askNew : undefined}
        onUpload={
          mayUpdate
            ? (dropped) => {
                adding.value = dropped
              }
            : undefined
        }
      />
      <FilesMain
        stack={stack}
        path={path}
        workspace={workspace}
        validation={validation}
        hrefOf={hrefOf}
        open={open}
        toggleModel={toggleModel}
        isModelShown={model !== ''}
      />
      {model !== '' && (
        <ModelPane
          name={name}
          revision={stack.revision}
          overlays={overlaysOf(files)}
          overlay={model === noOverlay ? '' : model}
          setOverlay={(overlay) => setModel(overlay || noOverlay)}
          isEdited={edits.size > 0}
          onClose={toggleModel}
        />
      )}
      {adding.value === 'new' && (
        <NewFile
          stack={stack}
          onClose={close}
          onDone={(made) => {
            close()
            open(made)
          }}
        />
      )}
      {adding.value !== undefined && adding.value !== 'new' && (
        <UploadFiles stack={stack} dropped={adding.value} onClose={close} onDone={close} />
      )}
    </div>
  )
}
