import { HeldBack } from './held-back.tsx'
import { NewerImages } from './newer-images.tsx'

/** The updates of a stack: those that were bad, and what happens next. */
export default function StackUpdates({ stack }: { stack: string }) {
  return (
    <>
      <HeldBack stack={stack} />
      <NewerImages stack={stack} />
    </>
  )
}
