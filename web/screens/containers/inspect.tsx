import type { ContainerDetails } from '../../data/containers.ts'
import type { Column } from '../../parts/columns.ts'
import { Copy } from '../../parts/copy.tsx'
import { exactTime } from '../../parts/format-time.ts'
import { Facts, Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'
import { Environment } from './environment.tsx'

/** Everything that the Engine knows of a container, to be read. */
export const Inspect = ({ container }: { container: ContainerDetails }) => (
  <>
    <General container={container} />
    <Environment env={container.env} />
    <Mounts mounts={container.mounts} />
    <Networks networks={container.networks} />
    <Ports ports={container.ports} />
    <Labels labels={container.labels} />
  </>
)

function General({ container }: { container: ContainerDetails }) {
  const { id, image, image_id, entrypoint, command, created_at, started_at, finished_at } =
    container
  const words = t.container
  const time = (at: string) => exactTime(new Date(at))
  return (
    <Panel title={words.general}>
      <Facts
        of={[
          [words.id, <Code key="id" text={id} what={words.id} />],
          [words.image, <code key="image">{image}</code>],
          [words.imageId, <Code key="image-id" text={image_id} what={words.imageId} />],
          entrypoint.length > 0 && [words.entrypoint, <code key="e">{lineOf(entrypoint)}</code>],
          command.length > 0 && [words.command, <code key="c">{lineOf(command)}</code>],
          [words.created, time(created_at)],
          started_at !== null && [words.startedAt, time(started_at)],
          finished_at !== null && [words.finishedAt, time(finished_at)],
          [words.restartPolicy, container.restart_policy],
        ]}
      />
    </Panel>
  )
}

const Code = ({ text, what }: { text: string; what: string }) => (
  <span class="copied-code">
    <code>{text}</code>
    <Copy text={text} what={what} />
  </span>
)

/** Returns arguments as one would type them in a shell. */
const lineOf = (words: readonly string[]) =>
  words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')

function Mounts({ mounts }: Pick<ContainerDetails, 'mounts'>) {
  const words = t.container
  const columns: Column<ContainerDetails['mounts'][number]>[] = [
    { key: 'to', label: words.destination, cell: ({ destination }) => <code>{destination}</code> },
    {
      key: 'from',
      label: words.source,
      cell: ({ source, type }) => <code title={source}>{source || type}</code>,
    },
    {
      key: 'access',
      label: words.access,
      width: '120px',
      isMinor: true,
      cell: ({ read_only }) => (read_only ? words.readOnly : words.readWrite),
    },
  ]
  return (
    <Panel title={words.mounts} isFlush>
      {mounts.length === 0 ? (
        <p class="panel-note">{words.noMounts}</p>
      ) : (
        <Table
          label={words.mounts}
          columns={columns}
          rows={mounts}
          rowKey={({ destination }) => destination}
        />
      )}
    </Panel>
  )
}

function Networks({ networks }: Pick<ContainerDetails, 'networks'>) {
  const words = t.container
  const columns: Column<ContainerDetails['networks'][number]>[] = [
    { key: 'name', label: words.networks, cell: ({ name }) => name },
    { key: 'address', label: words.address, width: '140px', cell: ({ ip_address }) => ip_address },
    {
      key: 'aliases',
      label: words.aliases,
      isMinor: true,
      cell: ({ aliases }) => aliases.join(', '),
    },
  ]
  return (
    <Panel title={words.networks} isFlush>
      {networks.length === 0 ? (
        <p class="panel-note">{words.noNetworks}</p>
      ) : (
        <Table
          label={words.networks}
          columns={columns}
          rows={networks}
          rowKey={({ name }) => name}
        />
      )}
    </Panel>
  )
}

function Ports({ ports }: Pick<ContainerDetails, 'ports'>) {
  const words = t.container
  const columns: Column<ContainerDetails['ports'][number]>[] = [
    {
      key: 'inside',
      label: words.inside,
      cell: ({ private: inside, protocol }) => `${inside}/${protocol}`,
    },
    {
      key: 'outside',
      label: words.published,
      cell: ({ public: outside, ip }) =>
        outside === null ? words.notPublished : `${ip?.includes(':') ? `[${ip}]` : ip}:${outside}`,
    },
  ]
  return (
    <Panel title={words.ports} isFlush>
      {ports.length === 0 ? (
        <p class="panel-note">{words.noPorts}</p>
      ) : (
        <Table
          label={words.ports}
          columns={columns}
          rows={ports}
          rowKey={(port) => [port.ip, port.public, port.private, port.protocol].join()}
        />
      )}
    </Panel>
  )
}

function Labels({ labels }: Pick<ContainerDetails, 'labels'>) {
  const words = t.container
  const rows = Object.entries(labels).sort(([one], [other]) => one.localeCompare(other))
  const columns: Column<[string, string]>[] = [
    { key: 'name', label: words.label, cell: ([name]) => <code title={name}>{name}</code> },
    {
      key: 'value',
      label: words.value,
      isMinor: true,
      cell: ([, value]) => <code title={value}>{value}</code>,
    },
  ]
  return (
    <Panel title={words.labels} isFlush>
      {rows.length === 0 ? (
        <p class="panel-note">{words.noLabels}</p>
      ) : (
        <Table label={words.labels} columns={columns} rows={rows} rowKey={([name]) => name} />
      )}
    </Panel>
  )
}
