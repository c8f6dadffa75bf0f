import type { ComponentChildren } from 'preact'

/** A part of the kit with its name. */
export function Sample({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <section class="sample" aria-label={name}>
      <h2>{name}</h2>
      <div>{children}</div>
    </section>
  )
}
