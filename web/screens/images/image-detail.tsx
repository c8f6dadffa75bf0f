import { useResource } from '../../data/cache.ts'
import { splitHosts } from '../../data/host-lists.ts'
import { type Image, nameOfImage } from '../../data/images.ts'
import { can } from '../../data/session.ts'
import { Detail } from '../../frame/detail.tsx'
import { Bytes } from '../../parts/bytes.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Lines } from '../../parts/lines.tsx'
import { None } from '../../parts/none.tsx'
import { Facts } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/** The details of an image: its names, its size, and the containers that use it. */
export function ImageDetail({ image, onClose }: { image: Image; onClose: () => void }) {
  const { id, tags, digests, size, created_at, host_name } = image
  return (
    <Detail title={nameOfImage(image)} onClose={onClose}>
      <Facts
        of={[
          [t.hosts.host, host_name],
          [t.images.size, <Bytes key="size" of={size} />],
          [
            t.images.built,
            created_at ? <Time key="built" at={created_at} /> : <None key="built" />,
          ],
          tags.length > 0 && [t.images.names, <Lines key="names" of={tags} />],
          digests.length > 0 && [t.images.digests, <Lines key="digests" of={digests} />],
          [
            t.hosts.id,
            <span key="id" class="code-and-copy">
              <code>{id}</code>
              <Copy text={id} what={t.hosts.id} />
            </span>,
          ],
        ]}
      />
      {can('containers:read') && <Users image={image} />}
    </Detail>
  )
}

function Users({ image: { id, containers, host_id } }: { image: Image }) {
  const { value } = useResource('/containers', { host: host_id, all: true })
  const all = value.value ? splitHosts(value.value).items : []
  const users = all.filter(({ image_id }) => image_id === id)
  return (
    <section>
      <h3>{t.images.usedBy}</h3>
      {containers === 0 && <p class="quiet-text">{t.images.unused}</p>}
      <Lines of={users.map(({ name, stack }) => (stack ? t.images.inStack(name, stack) : name))} />
    </section>
  )
}
