import { Plus } from 'lucide'
import type { AlertRule } from '../../data/alerts.ts'
import { useResource } from '../../data/cache.ts'
import { serviceTime } from '../../data/clock.ts'
import { can } from '../../data/session.ts'
import { useOverlay } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { usePageAction } from '../../frame/page-action.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { alertTabs } from './alert-tabs.ts'
import { conditionOf } from './condition.ts'
import { RuleForm } from './rule-form.tsx'
import { RuleMenu } from './rule-menu.tsx'
import { Severity } from './severity.tsx'

/** The rules that alerts come from. */
export default function AlertRules() {
  const rules = useResource('/alert-rules')
  const [open, setOpen] = useOverlay('rule')
  const mayManage = can('alerts:manage')
  const add = () => setOpen('new')
  usePageAction(mayManage && { label: t.alerts.addRule, icon: Plus, keys: 'n', run: add })
  const rule = rules.value.value?.find(({ id }) => id === open)
  return (
    <Page
      title={t.frame.alerts}
      tabs={alertTabs()}
      actions={
        mayManage && (
          <Button kind="primary" icon={Plus} onClick={add}>
            {t.alerts.addRule}
          </Button>
        )
      }
    >
      <Loaded of={rules} what={t.alerts.rules} failed={t.alerts.failedRules}>
        {(value) =>
          value.length === 0 ? (
            <Empty title={t.alerts.noRules}>{t.alerts.noRulesNext}</Empty>
          ) : (
            <Table
              label={t.alerts.rules}
              columns={columnsOf(mayManage)}
              rows={value}
              rowKey={({ id }) => id}
              {...(mayManage && {
                href: hrefOf,
                actions: (one: AlertRule) => <RuleMenu rule={one} />,
              })}
            />
          )
        }
      </Loaded>
      {mayManage && (open === 'new' || rule) && (
        <RuleForm key={open} rule={rule} onClose={() => setOpen('')} />
      )}
    </Page>
  )
}

const hrefOf = ({ id }: AlertRule) => `/alerts/rules?rule=${id}`

const columnsOf = (mayManage: boolean): Column<AlertRule>[] => [
  {
    key: 'name',
    label: t.alerts.rule,
    sort: ({ name }) => name,
    cell: (rule) =>
      mayManage ? (
        <Link href={hrefOf(rule)} kind="strong">
          {rule.name}
        </Link>
      ) : (
        rule.name
      ),
  },
  {
    key: 'state',
    label: t.hosts.state,
    width: '128px',
    cell: (rule) => <RuleState of={rule} />,
  },
  {
    key: 'condition',
    label: t.alerts.condition,
    isMinor: true,
    cell: (rule) => conditionOf(rule),
  },
  {
    key: 'severity',
    label: t.alerts.severity,
    width: '112px',
    isMinor: true,
    sort: ({ severity }) => severity,
    cell: ({ severity }) => <Severity of={severity} />,
  },
  {
    key: 'channels',
    label: t.alerts.channels,
    width: '88px',
    align: 'end',
    isMinor: true,
    cell: ({ channels }) =>
      channels.length > 0 ? channels.length : <Badge kind="attention">{t.alerts.noChannel}</Badge>,
  },
]

function RuleState({ of: { enabled, muted_until, firing } }: { of: AlertRule }) {
  if (!enabled) return <State of="stopped" word={t.alerts.off} />
  if (muted_until && Date.parse(muted_until) > serviceTime()) {
    return <State of="stopped" word={t.alerts.muted} />
  }
  if (firing.length > 0) return <State of="failed" word={t.alerts.firing(firing.length)} />
  return <State of="running" word={t.alerts.on} />
}
