import { can } from '../../data/session.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { Detail } from '../../frame/detail.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { Facts } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { ServiceMenu } from './service-menu.tsx'
import { portsOf, type ServiceStatus } from './service-row.ts'
import { ServiceState } from './service-state.tsx'

interface ServiceDetailProps {
  stack: StackDetails
  row: ServiceStatus
  onClose: () => void
}

/** Everything that is known of a container of a service. */
export function ServiceDetail({ stack, row, onClose }: ServiceDetailProps) {
  const { container_id: id, links, started_at, exit_code, image, detail } = row
  const ports = portsOf(row)
  return (
    <Detail
      title={row.name ?? row.service}
      state={<ServiceState row={row} />}
      actions={<ServiceMenu stack={stack} row={row} />}
      onClose={onClose}
    >
      <Facts
        of={[
          detail !== null && [t.stack.detail, detail],
          [t.stack.service, row.service],
          image !== null && [t.stack.image, <code key="image">{image}</code>],
          links.length > 0 && [
            t.stack.links,
            links.map((link) => (
              <div key={link}>
                <Link href={link}>{link}</Link>
              </div>
            )),
          ],
          ports.length > 0 && [t.stack.ports, ports.join(', ')],
          started_at !== null && [t.stack.started, <Time key="started" at={started_at} />],
          id !== null && [t.stack.restarts, row.restarts],
          exit_code !== null && [t.stack.exitCode, exit_code],
          id !== null &&
            can('containers:read') && [
              t.usage.title,
              <Link key="usage" href={`/containers/${stack.host}/${id}/charts?range=24h`}>
                {t.usage.lastDay}
              </Link>,
            ],
          id !== null && [
            t.stack.containerId,
            <span class="with-copy" key="id">
              <code>{id.slice(0, 12)}</code>
              <Copy text={id} what={t.stack.containerId} />
            </span>,
          ],
        ]}
      />
    </Detail>
  )
}
