import { useSignal } from '@preact/signals'
import { Pencil, Plus, Trash2 } from 'lucide'
import { useResource } from '../../data/cache.ts'
import { useAct } from '../../data/use-act.ts'
import { removeSet, type VariableSet } from '../../data/variables.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { usePageAction } from '../../frame/page-action.ts'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { settingsTabs } from './settings-tabs.ts'
import { VariableSetForm } from './variable-set-form.tsx'

type Open = { kind: 'edit' | 'remove'; set: VariableSet } | { kind: 'add' } | undefined

/** The sets of variables that stacks can take. */
export default function Variables() {
  const sets = useResource('/variables')
  const open = useSignal<Open>(undefined)
  const show = (next: Open) => () => {
    open.value = next
  }
  const add = show({ kind: 'add' })
  usePageAction({ label: t.variables.add, icon: Plus, keys: 'n', run: add })
  const shown = open.value
  return (
    <Page
      title={t.frame.settings}
      tabs={settingsTabs()}
      actions={
        <Button kind="primary" icon={Plus} onClick={add}>
          {t.variables.add}
        </Button>
      }
    >
      <Loaded of={sets} what={t.variables.title} failed={t.variables.failed}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.variables.empty}>{t.variables.emptyNext}</Empty>
          ) : (
            <Table
              label={t.variables.title}
              columns={columnsOf()}
              rows={rows}
              rowKey={({ name }) => name}
              actions={(set) => (
                <Menu
                  label={t.variables.actionsOf(set.name)}
                  items={[
                    {
                      label: t.variables.change(set.name),
                      icon: Pencil,
                      run: show({ kind: 'edit', set }),
                    },
                    {
                      label: t.variables.remove(set.name),
                      icon: Trash2,
                      kind: 'danger',
                      blocked: set.stacks.length > 0 ? t.variables.isTaken : undefined,
                      run: show({ kind: 'remove', set }),
                    },
                  ]}
                />
              )}
            />
          )
        }
      </Loaded>
      {shown?.kind === 'add' && <VariableSetForm onClose={show(undefined)} />}
      {shown?.kind === 'edit' && <VariableSetForm set={shown.set} onClose={show(undefined)} />}
      {shown?.kind === 'remove' && <RemoveSet set={shown.set} onClose={show(undefined)} />}
    </Page>
  )
}

const columnsOf = (): Column<VariableSet>[] => [
  {
    key: 'name',
    label: t.variables.name,
    sort: ({ name }) => name,
    cell: ({ name }) => name,
  },
  {
    key: 'variables',
    label: t.variables.title,
    cell: ({ variable_names }) => <code>{variable_names.join(', ')}</code>,
  },
  {
    key: 'hosts',
    label: t.variables.hosts,
    width: '160px',
    isMinor: true,
    cell: ({ tags }) => tags.join(', ') || t.variables.allHosts,
  },
  {
    key: 'stacks',
    label: t.variables.stacks,
    width: '200px',
    isMinor: true,
    cell: ({ stacks }) => stacks.join(', '),
  },
  {
    key: 'changed',
    label: t.variables.changed,
    width: '144px',
    align: 'end',
    isMinor: true,
    sort: ({ updated_at }) => updated_at,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
]

function RemoveSet({ set, onClose }: { set: VariableSet; onClose: () => void }) {
  const { name } = set
  const remove = useAct(removeSet, {
    ended: () => t.variables.removed(name),
    failed: t.variables.notRemoved,
  })
  return (
    <Confirm
      title={t.variables.removeAsk(name)}
      action={t.variables.remove(name)}
      lost={t.variables.lost}
      stays={t.variables.stays}
      busy={remove.pending.value && t.variables.removing}
      onConfirm={() => void remove.run(name).then(onClose)}
      onClose={onClose}
    />
  )
}
