import { useSignal } from '@preact/signals'
import { Pencil, Plus, RotateCw, Trash2 } from 'lucide'
import { Button, IconButton } from '../../parts/button.tsx'
import { Checkbox, Switch } from '../../parts/checkbox.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { TextField } from '../../parts/field.tsx'
import { Keys } from '../../parts/keys.tsx'
import { Link, LinkButton } from '../../parts/link.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Select } from '../../parts/select.tsx'
import { Sample } from './sample.tsx'

const hosts = [
  { value: 'local', label: 'local' },
  { value: 'nas', label: 'nas' },
]

/** Buttons, links and fields. */
export function Controls() {
  const text = useSignal('shop')
  const host = useSignal('local')
  const isOn = useSignal(true)
  const filter = useSignal('')
  const code = useSignal('services:\n  web:\n    image: nginx\n    port: [80]\n')
  const set = (value: string) => {
    text.value = value
  }
  return (
    <>
      <Sample name="Button">
        <Button kind="primary" icon={Plus}>
          Create stack
        </Button>
        <Button icon={RotateCw}>Restart shop</Button>
        <Button kind="quiet">Cancel</Button>
        <Button kind="danger" icon={Trash2}>
          Remove shop
        </Button>
        <Button kind="primary" busy="Deploying shop">
          Deploy shop
        </Button>
        <Button blocked="You need the permission stacks:deploy">Deploy shop</Button>
        <IconButton icon={Pencil} label="Edit shop" />
      </Sample>
      <Sample name="Link">
        <Link href="/kit">Stack shop</Link>
        <Link href="/kit" kind="strong">
          shop
        </Link>
        <Link href="https://example.com">example.com</Link>
        <LinkButton href="/kit">Open logs</LinkButton>
        <Keys of="g s" />
        <Keys of="⌘K" />
      </Sample>
      <Sample name="Field">
        <TextField label="Name" value={text.value} onInput={set} help="Lower-case letters" />
        <TextField
          label="Schedule"
          value="61 * * * *"
          onInput={set}
          isCode
          error="The minute must be 0-59"
        />
        <TextField label="Comment" value="" onInput={set} isOptional placeholder="Why" />
      </Sample>
      <Sample name="Choices">
        <SearchField
          label="Filter stacks"
          value={filter.value}
          onInput={(value) => {
            filter.value = value
          }}
        />
        <Select
          label="Host"
          isBare
          options={hosts}
          value={host.value}
          onChange={(value) => {
            host.value = value
          }}
        />
        <Checkbox
          label="With volumes"
          checked={isOn.value}
          onChange={(value) => {
            isOn.value = value
          }}
        />
        <Checkbox label="Some" checked={false} isMixed onChange={() => {}} />
        <Checkbox label="None" checked={false} onChange={() => {}} />
        <Switch
          label="Deploy without asking"
          checked={isOn.value}
          onChange={(value) => {
            isOn.value = value
          }}
        />
        <Switch label="Off" checked={false} onChange={() => {}} />
      </Sample>
      <Sample name="Code field">
        <CodeField
          label="compose.yaml"
          value={code.value}
          marks={[
            { line: 3, severity: 'warning' },
            { line: 4, severity: 'error' },
          ]}
          rows={6}
          onInput={(value) => {
            code.value = value
          }}
        />
      </Sample>
    </>
  )
}
