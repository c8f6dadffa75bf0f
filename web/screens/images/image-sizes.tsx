import { bytesOf, type Image, nameOfImage } from '../../data/images.ts'
import { Bytes } from '../../parts/bytes.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Scroller } from '../../parts/scroller.tsx'
import { t } from '../../text/text.ts'

type Unused = Pick<Image, 'id' | 'tags' | 'size'>

/** The images that are about to be removed, the largest first, and what that frees. */
export function ImageSizes({ of: images }: { of: readonly Unused[] }) {
  const sorted = [...images].sort((one, other) => other.size - one.size)
  return (
    <>
      <p role="status">{t.images.frees(images.length, formatBytes(bytesOf(images)))}</p>
      <Scroller label={t.images.prunable} isLow>
        <ul class="prune-list">
          {sorted.map((image) => (
            <li key={image.id}>
              <code>{nameOfImage(image)}</code>
              <Bytes of={image.size} />
            </li>
          ))}
        </ul>
      </Scroller>
    </>
  )
}
