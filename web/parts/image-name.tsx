import './image-name.css'

/** The name of an image. Where it is too long its tag stays, which says the version. */
export function ImageName({ of }: { of: string }) {
  const at = of.lastIndexOf(':')
  const digest = of.indexOf('@sha256:')
  // A colon before a slash is that of a port.
  const cut = digest > 0 ? digest : at > of.lastIndexOf('/') ? at : of.length
  const end = digest > 0 ? `@${of.slice(digest + 8, digest + 20)}…` : of.slice(cut)
  return (
    <code class="image-name" title={of}>
      <span>{of.slice(0, cut)}</span>
      <span>{end}</span>
    </code>
  )
}
