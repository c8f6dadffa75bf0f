import { useSignal } from '@preact/signals'
import { Pencil, Plus, Send, Trash2 } from 'lucide'
import { type AlertChannel, removeChannel, testChannel } from '../../data/alerts.ts'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { usePageAction } from '../../frame/page-action.ts'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Menu } from '../../parts/menu.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'
import { alertTabs } from './alert-tabs.ts'
import { ChannelForm } from './channel-form.tsx'
import { DeadDeliveries } from './dead-deliveries.tsx'

type Open = { channel: AlertChannel; kind: 'edit' | 'remove' } | { kind: 'add' } | undefined

/** Where alerts are sent, how the last delivery went, and those that were given up. */
export default function AlertChannels() {
  const channels = useResource('/alert-channels')
  const open = useSignal<Open>(undefined)
  const mayManage = can('alerts:manage')
  const show = (next: Open) => {
    open.value = next
  }
  const add = () => show({ kind: 'add' })
  usePageAction(mayManage && { label: t.alerts.addChannel, icon: Plus, keys: 'n', run: add })
  const close = () => show(undefined)
  const { value: shown } = open
  return (
    <Page
      title={t.frame.alerts}
      tabs={alertTabs()}
      actions={
        mayManage && (
          <Button kind="primary" icon={Plus} onClick={add}>
            {t.alerts.addChannel}
          </Button>
        )
      }
    >
      <Loaded of={channels} what={t.alerts.channels} failed={t.alerts.failedChannels}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.alerts.noChannels}>{t.alerts.noChannelsNext}</Empty>
          ) : (
            <Table
              label={t.alerts.channels}
              columns={columnsOf()}
              rows={rows}
              rowKey={({ id }) => id}
              {...(mayManage && {
                actions: (row: AlertChannel) => <ChannelActions channel={row} show={show} />,
              })}
            />
          )
        }
      </Loaded>
      <DeadDeliveries />
      {shown?.kind === 'add' && <ChannelForm onClose={close} />}
      {shown?.kind === 'edit' && <ChannelForm channel={shown.channel} onClose={close} />}
      {shown?.kind === 'remove' && <RemoveChannel channel={shown.channel} onClose={close} />}
    </Page>
  )
}

const states = { delivered: 'running', pending: 'working', dead: 'failed' } as const

const columnsOf = (): Column<AlertChannel>[] => [
  {
    key: 'name',
    label: t.alerts.channel,
    sort: ({ name }) => name,
    cell: ({ name }) => name,
  },
  {
    key: 'kind',
    label: t.alerts.kind,
    width: '96px',
    sort: ({ kind }) => kind,
    cell: ({ kind }) => t.alerts.kinds[kind],
  },
  { key: 'target', label: t.alerts.target, isMinor: true, cell: ({ address }) => address },
  {
    key: 'last',
    label: t.alerts.lastDelivery,
    width: '240px',
    isMinor: true,
    cell: ({ last_delivery: last }) =>
      last ? (
        <span title={last.error ?? undefined}>
          <State of={states[last.state]} word={t.alerts.deliveries[last.state]} />{' '}
          <Time at={last.at} />
        </span>
      ) : (
        <span class="quiet-text">{t.alerts.noneYet}</span>
      ),
  },
]

interface ChannelActionsProps {
  channel: AlertChannel
  show: (open: Open) => void
}

function ChannelActions({ channel, show }: ChannelActionsProps) {
  const { id, name } = channel
  const test = useAct(
    async () => {
      const { ok, error, answer } = await testChannel(id)
      if (ok) return toast('running', t.alerts.testPassed(name))
      const reason = answer ? t.alerts.receiverSays(answer) : undefined
      toast('failed', t.alerts.testFailed(name, error ?? ''), { nextStep: reason })
    },
    { failed: t.alerts.notTested(name) },
  )
  return (
    <Menu
      label={t.hosts.actionsOf(name)}
      items={[
        {
          label: t.alerts.test(name),
          icon: Send,
          run: () => void test.run(),
          blocked: test.pending.value ? t.alerts.testing : undefined,
        },
        {
          label: t.alerts.editChannel(name),
          icon: Pencil,
          run: () => show({ kind: 'edit', channel }),
        },
        {
          label: t.alerts.remove(name),
          icon: Trash2,
          kind: 'danger',
          run: () => show({ kind: 'remove', channel }),
        },
      ]}
    />
  )
}

function RemoveChannel({ channel, onClose }: { channel: AlertChannel; onClose: () => void }) {
  const { id, name } = channel
  const remove = useAct(removeChannel, {
    ended: () => t.alerts.removedChannel(name),
    failed: t.alerts.notRemovedChannel,
  })
  return (
    <Confirm
      title={t.alerts.removeAsk(name)}
      action={t.alerts.remove(name)}
      lost={t.alerts.channelLost}
      stays={t.alerts.channelStays}
      busy={remove.pending.value && t.alerts.removing}
      onConfirm={() => void remove.run(id).then(onClose)}
      onClose={onClose}
    />
  )
}
