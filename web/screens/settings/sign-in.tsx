import './settings.css'
import { useSignal } from '@preact/signals'
import { Pencil, Plus, Trash2 } from 'lucide'
import { useResource } from '../../data/cache.ts'
import { type Provider, removeProvider } from '../../data/settings.ts'
import { useAct } from '../../data/use-act.ts'
import { useOverlay } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { usePageAction } from '../../frame/page-action.ts'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { ProviderForm } from './provider-form.tsx'
import { settingsTabs } from './settings-tabs.ts'

/** The identity providers that users can sign in with. */
export default function SignIn() {
  const providers = useResource('/oidc-providers')
  const [open, setOpen] = useOverlay('edit')
  const removed = useSignal<Provider | undefined>(undefined)
  const add = () => setOpen('new')
  usePageAction({ label: t.sso.add, icon: Plus, keys: 'n', run: add })
  const provider = providers.value.value?.find(({ id }) => id === open)
  const ask = (next: Provider | undefined) => () => {
    removed.value = next
  }
  return (
    <Page
      title={t.frame.settings}
      tabs={settingsTabs()}
      actions={
        <Button kind="primary" icon={Plus} onClick={add}>
          {t.sso.add}
        </Button>
      }
    >
      <Loaded of={providers} what={t.settings.signIn} failed={t.sso.failed} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.sso.empty}>{t.sso.emptyNext}</Empty>
          ) : (
            <Table
              label={t.settings.signIn}
              columns={columnsOf()}
              rows={rows}
              rowKey={({ id }) => id}
              actions={(row) => (
                <Menu
                  label={t.hosts.actionsOf(row.name)}
                  items={[
                    { label: t.sso.edit(row.name), icon: Pencil, run: () => setOpen(row.id) },
                    {
                      label: t.sso.remove(row.name),
                      icon: Trash2,
                      kind: 'danger',
                      run: ask(row),
                    },
                  ]}
                />
              )}
            />
          )
        }
      </Loaded>
      {(open === 'new' || provider) && (
        <ProviderForm key={open} provider={provider} onClose={() => setOpen('')} />
      )}
      {removed.value && <RemoveProvider provider={removed.value} onClose={ask(undefined)} />}
    </Page>
  )
}

const columnsOf = (): Column<Provider>[] => [
  {
    key: 'name',
    label: t.sso.provider,
    width: '160px',
    sort: ({ name }) => name,
    cell: ({ name }) => name,
  },
  { key: 'issuer', label: t.sso.issuer, isMinor: true, cell: ({ issuer_url }) => issuer_url },
  {
    key: 'callback',
    label: t.sso.callback,
    cell: ({ callback_url }) =>
      callback_url ? (
        <span class="callback">
          <Copy text={callback_url} what={t.sso.callback} />
          <span title={callback_url}>{callback_url}</span>
        </span>
      ) : (
        <span class="quiet-text">{t.sso.noCallback}</span>
      ),
  },
]

interface RemoveProviderProps {
  provider: Provider
  onClose: () => void
}

function RemoveProvider({ provider: { id, name }, onClose }: RemoveProviderProps) {
  const remove = useAct(removeProvider, {
    ended: () => t.sso.removed(name),
    failed: t.sso.notRemoved,
  })
  return (
    <Confirm
      title={t.sso.removeAsk(name)}
      action={t.sso.remove(name)}
      lost={t.sso.lost}
      stays={t.sso.stays}
      busy={remove.pending.value && t.alerts.removing}
      onConfirm={() => void remove.run(id).then(onClose)}
      onClose={onClose}
    />
  )
}
