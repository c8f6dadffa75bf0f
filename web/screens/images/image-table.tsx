import { type Image, keyOfImage, nameOfImage } from '../../data/images.ts'
import { useSelectHref } from '../../frame/select-href.ts'
import { Badge } from '../../parts/badge.tsx'
import { Bytes } from '../../parts/bytes.tsx'
import type { Selection } from '../../parts/chosen.ts'
import type { Column } from '../../parts/columns.ts'
import { Link } from '../../parts/link.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { ImageMenu } from './image-menu.tsx'

interface ImageTableProps {
  rows: readonly Image[]
  selected: string
  selection: Selection | undefined
}

export function ImageTable({ rows, selected, selection }: ImageTableProps) {
  const hrefOf = useSelectHref('image')
  const href = (image: Image) => hrefOf(keyOfImage(image))
  return (
    <Table
      label={t.frame.images}
      columns={columnsOf(href)}
      rows={rows}
      rowKey={keyOfImage}
      href={href}
      selected={selected}
      selection={selection}
      nameOf={nameOfImage}
      actions={(image) => <ImageMenu image={image} />}
    />
  )
}

const columnsOf = (href: (image: Image) => string): Column<Image>[] => [
  {
    key: 'name',
    label: t.images.image,
    sort: nameOfImage,
    cell: (image) => (
      <>
        <Link href={href(image)} kind="strong">
          {nameOfImage(image)}
        </Link>{' '}
        {image.tags.length === 0 && <Badge>{t.images.unnamed}</Badge>}
        {image.tags.length > 1 && <Badge>{t.images.moreNames(image.tags.length - 1)}</Badge>}
      </>
    ),
  },
  {
    key: 'size',
    label: t.images.size,
    width: '96px',
    align: 'end',
    sort: ({ size }) => size,
    cell: ({ size }) => <Bytes of={size} />,
  },
  {
    key: 'used',
    label: t.images.usedBy,
    width: '128px',
    align: 'end',
    isMinor: true,
    isLabelled: false,
    sort: ({ containers }) => containers,
    cell: ({ containers }) =>
      containers === 0 ? (
        <span class="quiet-text">{t.images.unused}</span>
      ) : (
        t.images.containers(containers)
      ),
  },
  {
    key: 'host',
    label: t.hosts.host,
    width: '144px',
    isMinor: true,
    sort: ({ host_name }) => host_name,
    cell: ({ host_name }) => host_name,
  },
  {
    key: 'built',
    label: t.images.built,
    width: '128px',
    align: 'end',
    isMinor: true,
    sort: ({ created_at }) => created_at ?? undefined,
    cell: ({ created_at }) => created_at && <Time at={created_at} />,
  },
]
