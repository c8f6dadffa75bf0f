import { useSignal } from '@preact/signals'
import { Pencil, Trash2 } from 'lucide'
import { useEffect } from 'preact/hooks'
import type { components } from '../../data/api.types.ts'
import { useResource } from '../../data/cache.ts'
import { obstacleOf, readPasskeySignIn } from '../../data/passkey-sign-in.ts'
import { deletePasskey } from '../../data/passkeys.ts'
import { useAct } from '../../data/use-act.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { IconButton } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { NewPasskey } from './new-passkey.tsx'
import { RenamePasskey } from './rename-passkey.tsx'

type Passkey = components['schemas']['Passkey']

const columns = (): Column<Passkey>[] => [
  { key: 'name', label: t.account.name, cell: ({ name }) => name, sort: ({ name }) => name },
  {
    key: 'created',
    label: t.account.added,
    width: '120px',
    isMinor: true,
    isLabelled: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: 'used',
    label: t.account.used,
    width: '120px',
    isMinor: true,
    isLabelled: true,
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : t.parts.never),
  },
]

/** Passkeys: the list, and a way to add, rename and delete one. */
export function Passkeys() {
  const passkeys = useResource('/me/passkeys')
  return (
    <Panel title={t.account.passkeys}>
      <p class="mfa-why">{t.account.passkeysWhy}</p>
      <AddHere />
      <Loaded
        of={passkeys}
        what={t.account.passkeysWhat}
        failed={t.account.failed}
        rows={1}
        empty={<Empty title={t.account.passkeysEmpty} />}
      >
        {(rows) => <PasskeyTable rows={rows} />}
      </Loaded>
    </Panel>
  )
}

/** The form for another passkey, or why this page cannot add any. */
function AddHere() {
  const obstacle = useSignal<string | false | undefined>(undefined)
  useEffect(() => {
    // Without it the form says why, once it is sent.
    readPasskeySignIn().then(
      (read) => {
        obstacle.value = obstacleOf(read) ?? false
      },
      () => {
        obstacle.value = false
      },
    )
  }, [obstacle])
  if (obstacle.value === undefined) return null
  return obstacle.value ? <p class="quiet-text">{obstacle.value}</p> : <NewPasskey />
}

function PasskeyTable({ rows }: { rows: readonly Passkey[] }) {
  const chosen = useSignal<{ passkey: Passkey; deletes: boolean } | undefined>(undefined)
  const remove = useAct(deletePasskey, { failed: t.account.passkeyNotDeleted })
  const close = () => {
    chosen.value = undefined
  }
  const choose = (passkey: Passkey, deletes: boolean) => () => {
    chosen.value = { passkey, deletes }
  }
  const { passkey, deletes } = chosen.value ?? {}
  return (
    <>
      <Table
        label={t.account.passkeys}
        columns={columns()}
        rows={rows}
        rowKey={({ id }) => id}
        actionsWidth="104px"
        actions={(row) => (
          <>
            <IconButton
              icon={Pencil}
              label={t.account.renamePasskey(row.name)}
              onClick={choose(row, false)}
            />
            <IconButton
              icon={Trash2}
              label={t.account.deletePasskey(row.name)}
              onClick={choose(row, true)}
            />
          </>
        )}
      />
      {passkey && !deletes && <RenamePasskey passkey={passkey} onClose={close} />}
      {passkey && deletes && (
        <Confirm
          title={t.account.deletePasskeyAsk(passkey.name)}
          action={t.account.deletePasskey(passkey.name)}
          lost={t.account.deletePasskeyLost}
          stays={t.account.deletePasskeyStays}
          onClose={close}
          onConfirm={() => void remove.run(passkey.id).then(close)}
        />
      )}
    </>
  )
}
