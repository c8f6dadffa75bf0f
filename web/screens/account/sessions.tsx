import { useMemo } from 'preact/hooks'
import { endSession } from '../../data/account.ts'
import { act } from '../../data/act.ts'
import type { components } from '../../data/api.types.ts'
import { useResource } from '../../data/cache.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { deviceOf } from './device.ts'
import { EndOthers } from './end-others.tsx'

type Session = components['schemas']['Session']

const columns = (): Column<Session>[] => [
  {
    key: 'device',
    label: t.account.device,
    cell: ({ user_agent }) => <span title={user_agent}>{deviceOf(user_agent)}</span>,
  },
  { key: 'ip', label: t.account.address, width: '140px', isMinor: true, cell: ({ ip }) => ip },
  {
    key: 'created',
    label: t.account.since,
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
    cell: ({ last_used_at }) => <Time at={last_used_at} />,
  },
]

/** The sessions of the user, each with a way to end it. */
export function Sessions() {
  const sessions = useResource('/me/sessions')
  const end = useMemo(
    () => act(endSession, { ended: () => t.account.ended, failed: t.account.notEnded }),
    [],
  )
  return (
    <Panel title={t.account.sessions} actions={<EndOthers />} isFlush>
      <Loaded of={sessions} what={t.account.sessionsWhat} failed={t.account.failed} rows={2}>
        {(rows) => (
          <Table
            label={t.account.sessions}
            columns={columns()}
            rows={rows}
            rowKey={({ id }) => id}
            actions={({ id, current }) =>
              current ? (
                <Badge kind="running">{t.account.thisOne}</Badge>
              ) : (
                <Button kind="quiet" onClick={() => void end.run(id)}>
                  {t.account.end}
                </Button>
              )
            }
          />
        )}
      </Loaded>
    </Panel>
  )
}
