import { useSignal } from '@preact/signals'
import { Trash2 } from 'lucide'
import { useMemo } from 'preact/hooks'
import { revokeToken } from '../../data/account.ts'
import { act } from '../../data/act.ts'
import type { components } from '../../data/api.types.ts'
import { useResource } from '../../data/cache.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { IconButton } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { NewToken } from './new-token.tsx'

type Token = components['schemas']['ApiToken']

const columns = (): Column<Token>[] => [
  { key: 'name', label: t.account.name, cell: ({ name }) => name, sort: ({ name }) => name },
  {
    key: 'prefix',
    label: t.account.token,
    width: '140px',
    isMinor: true,
    cell: ({ prefix }) => <code>{prefix}…</code>,
  },
  {
    key: 'used',
    label: t.account.used,
    width: '120px',
    isMinor: true,
    isLabelled: true,
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : t.parts.never),
  },
  {
    key: 'expires',
    label: t.account.expires,
    width: '120px',
    isMinor: true,
    isLabelled: true,
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} mayBeAhead /> : t.parts.never),
  },
]

/** API tokens: the list, a way to create one and to revoke one. */
export function Tokens() {
  const tokens = useResource('/api-tokens')
  return (
    <Panel title={t.account.tokens}>
      <NewToken />
      <Loaded
        of={tokens}
        what={t.account.tokensWhat}
        failed={t.account.failed}
        rows={2}
        empty={<Empty title={t.account.tokensEmpty}>{t.account.tokensNext}</Empty>}
      >
        {(rows) => <TokenTable rows={rows} />}
      </Loaded>
    </Panel>
  )
}

function TokenTable({ rows }: { rows: readonly Token[] }) {
  const toRevoke = useSignal<Token | undefined>(undefined)
  const revoke = useMemo(() => act(revokeToken, { failed: t.account.notRevoked }), [])
  const token = toRevoke.value
  const close = () => {
    toRevoke.value = undefined
  }
  return (
    <>
      <Table
        label={t.account.tokens}
        columns={columns()}
        rows={rows}
        rowKey={({ id }) => id}
        actions={(row) => (
          <IconButton
            icon={Trash2}
            label={t.account.revoke(row.name)}
            onClick={() => {
              toRevoke.value = row
            }}
          />
        )}
      />
      {token && (
        <Confirm
          title={t.account.revokeAsk(token.name)}
          action={t.account.revoke(token.name)}
          lost={t.account.revokeLost}
          onClose={close}
          onConfirm={() => void revoke.run(token.id).then(close)}
        />
      )}
    </>
  )
}
