import { useSignal } from '@preact/signals'
import { Pencil, Plus, Trash2 } from 'lucide'
import { useResource } from '../data/cache.ts'
import { type Registry, removeRegistry } from '../data/registries.ts'
import { useAct } from '../data/use-act.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { usePageAction } from '../frame/page-action.ts'
import { Button } from '../parts/button.tsx'
import type { Column } from '../parts/columns.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Empty } from '../parts/empty.tsx'
import { Menu } from '../parts/menu.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { t } from '../text/text.ts'
import { RegistryForm } from './registries/registry-form.tsx'

type Open = { kind: 'edit' | 'remove'; registry: Registry } | { kind: 'add' } | undefined

/** The registries whose credentials are stored, for pulls and builds on every host. */
export default function Registries() {
  const registries = useResource('/registries')
  const open = useSignal<Open>(undefined)
  const show = (next: Open) => () => {
    open.value = next
  }
  const add = show({ kind: 'add' })
  usePageAction({ label: t.registries.add, icon: Plus, keys: 'n', run: add })
  const addButton = (
    <Button kind="primary" icon={Plus} onClick={add}>
      {t.registries.add}
    </Button>
  )
  const shown = open.value
  return (
    <Page title={t.frame.registries} actions={addButton}>
      <Loaded of={registries} what={t.frame.registries} failed={t.registries.failed}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.registries.empty}>{t.registries.emptyNext}</Empty>
          ) : (
            <Table
              label={t.frame.registries}
              columns={columnsOf()}
              rows={rows}
              rowKey={({ id }) => id}
              actions={(registry) => (
                <Menu
                  label={t.registries.actionsOf(registry.address)}
                  items={[
                    {
                      label: t.registries.change(registry.address),
                      icon: Pencil,
                      run: show({ kind: 'edit', registry }),
                    },
                    {
                      label: t.registries.remove(registry.address),
                      icon: Trash2,
                      kind: 'danger',
                      run: show({ kind: 'remove', registry }),
                    },
                  ]}
                />
              )}
            />
          )
        }
      </Loaded>
      {shown?.kind === 'add' && <RegistryForm onClose={show(undefined)} />}
      {shown?.kind === 'edit' && (
        <RegistryForm registry={shown.registry} onClose={show(undefined)} />
      )}
      {shown?.kind === 'remove' && (
        <RemoveRegistry registry={shown.registry} onClose={show(undefined)} />
      )}
    </Page>
  )
}

const columnsOf = (): Column<Registry>[] => [
  {
    key: 'address',
    label: t.registries.address,
    sort: ({ address }) => address,
    cell: ({ address }) => address,
  },
  {
    key: 'user',
    label: t.registries.username,
    width: '240px',
    sort: ({ username }) => username,
    cell: ({ username }) => username,
  },
  {
    key: 'changed',
    label: t.registries.changed,
    width: '144px',
    align: 'end',
    isMinor: true,
    sort: ({ updated_at }) => updated_at,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
]

function RemoveRegistry({ registry, onClose }: { registry: Registry; onClose: () => void }) {
  const { id, address } = registry
  const remove = useAct(removeRegistry, {
    ended: () => t.registries.removed(address),
    failed: t.registries.notRemoved,
  })
  return (
    <Confirm
      title={t.registries.removeAsk(address)}
      action={t.registries.remove(address)}
      lost={t.registries.lost}
      stays={t.registries.stays}
      busy={remove.pending.value && t.registries.removing}
      onConfirm={() => void remove.run(id).then(onClose)}
      onClose={onClose}
    />
  )
}
