import { nameOfImage, type PrunedImages } from '../../data/images.ts'
import { Scroller } from '../../parts/scroller.tsx'
import { t } from '../../text/text.ts'

/** The unused images that a prune leaves, and the stack that needs each. */
export function KeptImages({ of: images }: { of: PrunedImages['kept'] }) {
  if (images.length === 0) return null
  const title = t.images.keptImages(images.length)
  return (
    <>
      <p>{title}</p>
      <Scroller label={title} isLow>
        <ul class="prune-list">
          {images.map((image) => (
            <li key={image.id}>
              <code>{nameOfImage(image)}</code>
              <span>{t.images.keptFor(image.stack)}</span>
            </li>
          ))}
        </ul>
      </Scroller>
    </>
  )
}
