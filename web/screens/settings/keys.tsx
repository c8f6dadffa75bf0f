import { useSignal } from '@preact/signals'
import { Plus, Trash2 } from 'lucide'
import { useResource } from '../../data/cache.ts'
import { createKey, removeKey, type SecretKey } from '../../data/settings.ts'
import { useAct } from '../../data/use-act.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Menu } from '../../parts/menu.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { settingsTabs } from './settings-tabs.ts'

/** The keys that encrypt what is stored: a new one, and deleting old ones. */
export default function Keys() {
  const keys = useResource('/secret-keys')
  const openDialog = useSignal<SecretKey | 'new' | undefined>(undefined)
  const close = () => {
    openDialog.value = undefined
  }
  const dialog = openDialog.value
  return (
    <Page
      title={t.frame.settings}
      tabs={settingsTabs()}
      actions={
        <Button
          kind="primary"
          icon={Plus}
          onClick={() => {
            openDialog.value = 'new'
          }}
        >
          {t.keys.create}
        </Button>
      }
    >
      <Loaded of={keys} what={t.settings.keys} failed={t.keys.failed} rows={2}>
        {(rows) => (
          <Table
            label={t.settings.keys}
            columns={columnsOf()}
            rows={rows}
            rowKey={({ id }) => id}
            actions={(key) => (
              <Menu
                label={t.hosts.actionsOf(key.id)}
                items={[
                  {
                    label: t.keys.remove(key.id),
                    icon: Trash2,
                    kind: 'danger',
                    blocked: blockedOf(key),
                    run: () => {
                      openDialog.value = key
                    },
                  },
                ]}
              />
            )}
          />
        )}
      </Loaded>
      {dialog === 'new' && <CreateKey onClose={close} />}
      {dialog !== undefined && dialog !== 'new' && <RemoveKey id={dialog.id} onClose={close} />}
    </Page>
  )
}

function blockedOf({ current, in_use, source }: SecretKey): string | undefined {
  if (source === 'environment') return t.keys.isConfigured
  if (current) return t.keys.isCurrent
  return in_use ? t.keys.isInUse : undefined
}

const columnsOf = (): Column<SecretKey>[] => [
  {
    key: 'id',
    label: t.keys.key,
    cell: ({ id, source }) => (
      <>
        <code>{id}</code> {source === 'environment' && <Badge>{t.keys.configured}</Badge>}
      </>
    ),
  },
  {
    key: 'state',
    label: t.hosts.state,
    width: '200px',
    cell: ({ current, in_use }) =>
      current ? (
        <State of="running" word={t.keys.current} />
      ) : (
        <State of={in_use ? 'working' : 'stopped'} word={in_use ? t.keys.inUse : t.keys.unused} />
      ),
  },
  {
    key: 'created',
    label: t.volumes.created,
    width: '144px',
    align: 'end',
    isMinor: true,
    cell: ({ created_at }) => created_at && <Time at={created_at} />,
  },
]

function CreateKey({ onClose }: { onClose: () => void }) {
  const create = useAct(createKey, { ended: () => t.keys.created, failed: t.keys.notCreated })
  return (
    <Confirm
      title={t.keys.createAsk}
      action={t.keys.create}
      kind="primary"
      busy={create.pending.value && t.keys.creating}
      onConfirm={() => void create.run().then(onClose)}
      onClose={onClose}
    >
      <p>{t.keys.createWhat}</p>
    </Confirm>
  )
}

function RemoveKey({ id, onClose }: { id: string; onClose: () => void }) {
  const remove = useAct(removeKey, { ended: () => t.keys.removed, failed: t.keys.notRemoved })
  return (
    <Confirm
      title={t.keys.removeAsk}
      action={t.keys.remove(id)}
      lost={t.keys.lost}
      stays={t.keys.stays}
      typed={id}
      busy={remove.pending.value && t.alerts.removing}
      onConfirm={() => void remove.run(id).then(onClose)}
      onClose={onClose}
    />
  )
}
