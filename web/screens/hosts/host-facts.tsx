import type { Host } from '../../data/hosts.ts'
import { Badge } from '../../parts/badge.tsx'
import { Bytes } from '../../parts/bytes.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/** The machine of a host and its Engine. */
export function EngineFacts({ host: { engine, containers, tags, address } }: { host: Host }) {
  return (
    <Panel title={t.hosts.machine}>
      <Facts
        of={[
          [t.hosts.engine, engine ? t.hosts.engineOf(engine.version, engine.api_version) : '–'],
          engine !== null && [t.hosts.system, `${engine.os} ${engine.arch}`],
          engine !== null && [t.hosts.processors, engine.cpus],
          engine !== null && [t.hosts.memory, <Bytes key="memory" of={engine.memory} />],
          containers !== null && [
            t.hosts.containers,
            t.hosts.running(containers.running, containers.total),
          ],
          [t.hosts.address, address ?? t.hosts.noAddress],
          tags.length > 0 && [
            t.hosts.tags,
            <span key="tags" class="host-tags">
              {tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </span>,
          ],
        ]}
      />
    </Panel>
  )
}

interface AgentFactsProps {
  host: Host
  agent: NonNullable<Host['agent']>
}

/** The agent of a host and its certificate. */
export function AgentFacts({ host: { id }, agent }: AgentFactsProps) {
  const { version, certificate_expires_at: expires, last_seen_at: seen } = agent
  return (
    <Panel title={t.hosts.agent}>
      <Facts
        of={[
          [t.hosts.version, version ?? t.hosts.notYet],
          [t.hosts.lastSeen, seen ? <Time key="seen" at={seen} /> : t.parts.never],
          [
            t.hosts.certificate,
            expires ? (
              <span key="expires">
                {t.hosts.expires} <Time at={expires} mayBeAhead />. {t.hosts.renewed}
              </span>
            ) : (
              t.hosts.notYet
            ),
          ],
          [t.hosts.id, <code key="id">{id}</code>],
        ]}
      />
    </Panel>
  )
}
