import { HeldBack } from './held-back.tsx'
import { NewerImages } from './newer-images.tsx'
import { SourceLine } from './source-line.tsx'

/** The source of a stack, and its updates: those that were bad, and what happens next. */
export default function StackUpdates({ stack }: { stack: string }) {
  return (
    <>
      <SourceLine stack={stack} />
      <HeldBack stack={stack} />
      <NewerImages stack={stack} />
    </>
  )
}
