import { can } from '../../data/session.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { Empty } from '../../parts/empty.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../text/text.ts'
import { FileDiffs } from './file-diffs.tsx'

/** The files that differ on the host, and the two ways to settle it. */
export function DriftView({ stack }: { stack: StackDetails }) {
  const { name, drift, directory, deployed_at, status } = stack
  const at = `/stacks/${encodeURIComponent(name)}/deploy`
  if (deployed_at === null)
    return <Empty title={t.stack.neverDeployed(name)}>{t.stack.noDriftYet}</Empty>
  if (status === 'unknown') return <Empty title={t.stack.noHost}>{t.stack.noHostWhy}</Empty>
  if (drift.length === 0)
    return <Empty title={t.stack.noDrift}>{t.stack.noDriftWhy(directory)}</Empty>
  return (
    <Panel
      title={t.stack.driftTitle(directory)}
      actions={
        can('stacks:deploy') && (
          <>
            {can('stacks:update') && (
              <LinkButton href={`${at}?drift=import`}>{t.stack.importDrift}</LinkButton>
            )}
            <LinkButton href={`${at}?drift=overwrite`}>{t.stack.overwriteDrift}</LinkButton>
          </>
        )
      }
    >
      <p class="quiet-text">{t.stack.driftWhy}</p>
      <FileDiffs name={name} from="deployed" to="host" none={t.stack.noFileChanges} />
    </Panel>
  )
}
