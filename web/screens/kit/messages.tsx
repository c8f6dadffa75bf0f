import { serviceTime } from '../../data/clock.ts'
import { ConnectionBar } from '../../frame/connection-bar.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Empty } from '../../parts/empty.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { NoPermission } from '../../parts/no-permission.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Sample } from './sample.tsx'

const diff = `@@ -3,4 +3,5 @@
   web:
-    image: nginx:1.28
+    image: nginx:1.29
+    restart: unless-stopped
     ports: ["8080:80"]
     depends_on: [db]
`

/** What a page says when it is empty, loading, failed or cut off. */
export function Messages() {
  return (
    <>
      <Sample name="Empty">
        <Empty
          title="No stacks yet"
          action={
            <LinkButton href="/kit" kind="primary">
              Create a stack
            </LinkButton>
          }
        >
          Paste a compose file, or drop a folder here.
        </Empty>
        <NoPermission permission="audit:read" />
      </Sample>
      <Sample name="Problem">
        <Problem
          title="shop could not be deployed"
          error="Host nas is offline: its agent has not answered for 40 s."
          detail="dial tcp 192.0.2.7:8443: connect: connection refused"
          requestId="4f1c2a90-7d3e"
          onRetry={() => {}}
        >
          <p>Check that the host is on, then try again.</p>
        </Problem>
      </Sample>
      <Sample name="Skeleton">
        <Skeleton what="stacks" rows={3} />
      </Sample>
      <Sample name="Connection">
        <ConnectionBar state="reconnecting" since={serviceTime() - 20_000} />
      </Sample>
      <Sample name="Diff">
        <Diff label="compose.yaml" text={diff} />
      </Sample>
    </>
  )
}
