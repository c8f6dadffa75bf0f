import './settings.css'
import { useSignal } from '@preact/signals'
import { Pencil, Plus, Trash2 } from 'lucide'
import type { Host } from '../../data/hosts.ts'
import {
  deleteInherited,
  saveInherited,
  useInheritedPolicies,
} from '../../data/inherited-policies.ts'
import {
  type InheritedPolicy,
  ofAllStacks,
  ofTag,
  preset,
  tagOf,
} from '../../data/inherited-policy.ts'
import { useAct } from '../../data/use-act.ts'
import { useReadable } from '../../data/use-readable.ts'
import { useOverlay } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { usePageAction } from '../../frame/page-action.ts'
import { BlockedWork } from '../../parts/blocked-work.tsx'
import { Button } from '../../parts/button.tsx'
import type { Column } from '../../parts/columns.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Menu } from '../../parts/menu.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { policySentence } from '../stack/update-sentence.ts'
import { InheritedPolicyForm } from './inherited-policy-form.tsx'
import { settingsTabs } from './settings-tabs.ts'

/** What happens with newer images of stacks that have no policy of their own. */
export default function UpdatePolicies() {
  const policies = useInheritedPolicies()
  const hosts = useReadable('hosts:read', '/hosts')
  const [open, setOpen] = useOverlay('edit')
  const removed = useSignal<string | undefined>(undefined)
  const ask = (of: string | undefined) => () => {
    removed.value = of
  }
  const saved = policies.value.value
  const tags = saved && hosts.isSettled ? freeTags(hosts.value ?? [], saved) : undefined
  const isFull = tags?.length === 0
  const add = () => setOpen('new')
  usePageAction(!isFull && { label: t.inheritedPolicies.add, icon: Plus, keys: 'n', run: add })
  const policy = saved && withPreset(saved).find(({ of }) => of === open)
  return (
    <Page
      title={t.frame.settings}
      tabs={settingsTabs()}
      actions={
        <Button
          kind="primary"
          icon={Plus}
          blocked={isFull ? t.inheritedPolicies.isFull : undefined}
          onClick={add}
        >
          {t.inheritedPolicies.add}
        </Button>
      }
    >
      <p class="quiet-text">{t.inheritedPolicies.order}</p>
      <Loaded
        of={policies}
        what={t.inheritedPolicies.policies}
        failed={t.inheritedPolicies.failed}
        rows={2}
      >
        {(rows) => (
          <>
            {rows.map((row) => row.blocked !== null && <BlockedPolicy key={row.of} policy={row} />)}
            <Table
              label={t.inheritedPolicies.policies}
              columns={columnsOf()}
              rows={withPreset(rows)}
              rowKey={({ of }) => of}
              actions={(row) => (
                <Menu
                  label={t.hosts.actionsOf(t.inheritedPolicies.of(tagOf(row.of)))}
                  items={[
                    {
                      label: t.updatePolicy.change,
                      icon: Pencil,
                      run: () => setOpen(row.of),
                    },
                    {
                      label: t.inheritedPolicies.remove,
                      icon: Trash2,
                      kind: 'danger',
                      blocked: row === preset ? t.inheritedPolicies.isPreset : undefined,
                      run: ask(row.of),
                    },
                  ]}
                />
              )}
            />
          </>
        )}
      </Loaded>
      {(policy || (open === 'new' && tags)) && (
        <InheritedPolicyForm
          key={open}
          policy={policy}
          tags={tags ?? []}
          onClose={() => setOpen('')}
        />
      )}
      {removed.value !== undefined && <RemovePolicy of={removed.value} onClose={ask(undefined)} />}
    </Page>
  )
}

/** Returns the tags of hosts that have no policy. */
function freeTags(hosts: readonly Host[], saved: readonly InheritedPolicy[]): readonly string[] {
  const taken = new Set(saved.map(({ of }) => of))
  const tags = new Set(hosts.flatMap((host) => host.tags))
  return [...tags].filter((tag) => !taken.has(ofTag(tag))).sort()
}

/** Returns the policies with that of all stacks, also if it was never saved. */
const withPreset = (saved: readonly InheritedPolicy[]): readonly InheritedPolicy[] =>
  saved.some(({ of }) => of === ofAllStacks) ? saved : [preset, ...saved]

const columnsOf = (): Column<InheritedPolicy>[] => [
  {
    key: 'of',
    label: t.inheritedPolicies.appliesTo,
    width: '240px',
    cell: ({ of }) => t.inheritedPolicies.of(tagOf(of)),
  },
  {
    key: 'what',
    label: t.updatePolicy.mode,
    isMinor: true,
    cell: (policy) => <span class="policy-sentence">{policySentence(policy)}</span>,
  },
  {
    key: 'rights',
    label: t.prune.rights,
    width: '144px',
    isMinor: true,
    isLabelled: true,
    cell: ({ acts_as }) => acts_as,
  },
]

/** Why updates of a policy do not run, and what to do about it. */
function BlockedPolicy({ policy }: { policy: InheritedPolicy }) {
  const { of, blocked } = policy
  const name = t.inheritedPolicies.of(tagOf(of))
  const takeOver = useAct(saveInherited, {
    ended: () => t.inheritedPolicies.takenOver(name),
    failed: t.updatePolicy.notTakenOver,
  })
  return (
    <BlockedWork
      title={t.inheritedPolicies.isBlocked(name)}
      error={blocked ?? ''}
      help={t.updatePolicy.blockedNext}
      action={{
        label: t.updatePolicy.takeOver,
        busy: takeOver.pending.value && t.updatePolicy.takingOver,
        run: () => void takeOver.run(of, policy),
      }}
    />
  )
}

function RemovePolicy({ of, onClose }: { of: string; onClose: () => void }) {
  const name = t.inheritedPolicies.of(tagOf(of))
  const remove = useAct(deleteInherited, {
    ended: () => t.inheritedPolicies.removed(name),
    failed: t.inheritedPolicies.notRemoved,
  })
  return (
    <Confirm
      title={t.inheritedPolicies.removeAsk(name)}
      action={t.inheritedPolicies.remove}
      lost={t.inheritedPolicies.lost}
      stays={t.inheritedPolicies.stays}
      busy={remove.pending.value && t.alerts.removing}
      onConfirm={() => void remove.run(of).then(onClose)}
      onClose={onClose}
    />
  )
}
