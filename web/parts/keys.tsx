import './keys.css'

/** Keys to press: "g s" is one after the other, "⌘K" together. */
export function Keys({ of }: { of: string }) {
  return (
    <span class="keys">
      {of.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
