import { draft, isName } from '../../../data/stack-draft.ts'
import { useReadable } from '../../../data/use-readable.ts'
import { TextField } from '../../../parts/field.tsx'
import { Select } from '../../../parts/select.tsx'
import { t } from '../../../text/text.ts'

interface NameAndHostProps {
  /** The name that is used when none is typed. */
  suggested?: string | undefined
  /** What the service says about the name. */
  error?: string | undefined
}

/** The name of the new stack and the host that it belongs on. */
export function NameAndHost({ suggested = '', error }: NameAndHostProps) {
  const hosts = useReadable('hosts:read', '/hosts').value ?? []
  const typed = draft.name.value
  const isWrong = typed !== '' && !isName(typed)
  return (
    <div class="new-stack-head">
      <TextField
        label={t.newStack.name}
        value={typed}
        placeholder={suggested}
        error={isWrong ? t.newStack.nameWrong : error}
        autocomplete="off"
        isCode
        onInput={(name) => {
          draft.name.value = name
        }}
      />
      {hosts.length > 1 && (
        <Select
          label={t.newStack.host}
          value={draft.host.value || (hosts.find(({ kind }) => kind === 'local')?.id ?? '')}
          options={hosts
            .filter(({ status }) => status !== 'revoked')
            .map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(host) => {
            draft.host.value = host
          }}
        />
      )}
    </div>
  )
}
