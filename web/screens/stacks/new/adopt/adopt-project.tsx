import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { act } from '../../../../data/act.ts'
import type { components } from '../../../../data/api.types.ts'
import { adopt } from '../../../../data/send-folder.ts'
import type { HostId } from '../../../../host-ids.ts'
import { Button } from '../../../../parts/button.tsx'
import { CodeField } from '../../../../parts/code-field.tsx'
import { Facts, Panel } from '../../../../parts/panel.tsx'
import { Problem } from '../../../../parts/problem.tsx'
import { t } from '../../../../text/text.ts'
import { chooseFrom, type FolderChoice, withMode } from '../folder/folder-choice.ts'
import { FolderPicker } from '../folder/folder-picker.tsx'
import { FolderPreview } from '../folder/folder-preview.tsx'
import type { PickedFile } from '../folder/pick-folder.ts'
import { Adopted } from './adopted.tsx'

type Project = components['schemas']['ComposeProject']

interface AdoptProjectProps {
  project: Project
  onClose: () => void
}

/** Asks for the files of a running project, and makes it a stack. */
export function AdoptProject({ project, onClose }: AdoptProjectProps) {
  const { name, host_id, host_name, working_dir, config_files } = project
  const choice = useSignal<FolderChoice | undefined>(undefined)
  const pasted = useSignal('')
  const send = useMemo(() => adopting({ name, host: host_id }), [name, host_id])
  const chosen = choice.value
  const main = relativeTo(working_dir, config_files[0])
  const files = chosen ? filesOf(chosen) : textFile(pasted.value)
  const problem = send.problem.value
  if (send.result.value) return <Adopted stack={send.result.value} />
  return (
    <div class="new-stack">
      <Panel title={t.newStack.adoptOne(name)}>
        <Facts
          of={[
            [t.newStack.host, host_name],
            [t.newStack.directory, <code key="directory">{working_dir}</code>],
            [t.newStack.composeFiles, <code key="files">{config_files.join(', ')}</code>],
          ]}
        />
      </Panel>
      <p>{t.newStack.adoptHow(working_dir)}</p>
      <FolderPicker
        onPick={async (picked) => {
          send.reset()
          choice.value = await chooseFrom(picked, main)
        }}
      />
      {chosen && chosen.compose === undefined && (
        <Problem title={t.newStack.noCompose} error={t.newStack.noComposeWhy} />
      )}
      {chosen?.compose !== undefined && <FolderPreview choice={chosen} />}
      {!chosen && (
        <details>
          <summary>{t.newStack.pasteInstead}</summary>
          <CodeField
            label="compose.yaml"
            help={t.newStack.pasteInsteadHelp}
            value={pasted.value}
            onInput={(text) => {
              pasted.value = text
            }}
          />
        </details>
      )}
      {problem && <Problem title={t.newStack.notAdopted(name)} {...problem} />}
      <div class="new-stack-actions">
        <Button
          kind="primary"
          blocked={files.length > 0 ? undefined : t.newStack.needsFolder}
          busy={send.pending.value && t.newStack.adopting(name)}
          onClick={() => void send.run(files)}
        >
          {t.newStack.adoptOne(name)}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t.parts.cancel}
        </Button>
        <span class="new-stack-note">{t.newStack.nothingRestarts}</span>
      </div>
    </div>
  )
}

/** Returns the path of a compose file in the directory of its project. */
const relativeTo = (directory: string, file: string | undefined) =>
  file?.startsWith(`${directory}/`) ? file.slice(directory.length + 1) : undefined

/** Returns the files to send. The main one is `compose.yaml` in a bundle. */
function filesOf({ compose, named, sent }: FolderChoice): readonly PickedFile[] {
  const [main, ...rest] = named
  if (compose === undefined || !main) return []
  return [{ ...main, path: 'compose.yaml' }, ...rest, ...sent.value]
}

const textFile = (text: string): readonly PickedFile[] =>
  text.trim() === '' ? [] : [{ path: 'compose.yaml', file: new File([text], 'compose.yaml') }]

const adopting = (project: { name: string; host: HostId }) =>
  act(
    async (files: readonly PickedFile[]) =>
      adopt(project, await Promise.all(files.map(withMode)), () => {}),
    {
      ended: ({ name }) => t.newStack.adopted(name),
      failed: t.newStack.notAdopted(project.name),
      tellsProblem: false,
    },
  )
