import { internalError } from '../../../functions/core/errors.ts'
import type { EngineClient } from '../transport/client.ts'
import { commandOutput } from './exec.ts'

/**
 * The environment variable that identifies the processes of a command in its container. Child
 * processes inherit it.
 */
export const markName = 'CONTAINER_STACKS_EXEC'

/**
 * Milliseconds for all of it. It is faster, but Engines report the end late if a process keeps the
 * output open.
 */
const deadline = 10_000

/**
 * The Engine only knows the command's process id on the host, so the script looks for processes
 * with the mark inside the container. The command itself is the one whose parent is outside, or
 * which has the host's id if the container shares the host's process namespace. Every command leads
 * a process group, which gets SIGHUP, and SIGKILL if the command still runs a second later. The
 * script prints the processes that still have the mark. It contains no text of a caller.
 */
const script = `
mark=$1 hostpid=$2
exec 3>&1 >/dev/null 2>&1
marked() { grep -qs "$mark" "/proc/$1/environ"; }
command=
for dir in /proc/[0-9]*; do
  pid=\${dir#/proc/}
  marked "$pid" || continue
  if [ "$pid" = "$hostpid" ] || grep -qs '^PPid:[[:space:]]*0$' "$dir/status"; then command=$pid; fi
done
if [ -n "$command" ]; then
  kill -HUP "-$command"
  kill -CONT "-$command"
  for turn in 1 2 3 4 5 6 7 8 9 10; do
    marked "$command" || break
    sleep 0.1 || sleep 1
  done
  marked "$command" && kill -KILL "-$command" && sleep 0.1
fi
for dir in /proc/[0-9]*; do
  marked "\${dir#/proc/}" && read -r name < "$dir/comm" && echo "\${dir#/proc/} $name" >&3
done
`

/**
 * Ends the processes of a command, as far as the container has the tools. Returns the remaining
 * ones as `<id> <name>`.
 */
export async function endProcesses(
  { client, container, mark, user }: EndedCommand,
  hostPid: number,
): Promise<string[]> {
  const body = {
    Cmd: ['/bin/sh', '-c', script, 'sh', mark, `${hostPid}`],
    // Only its owner may read a process's environment; in a container not even root may.
    User: user,
  }
  const signal = AbortSignal.timeout(deadline)
  const { exitCode, output } = await commandOutput(client, container, body, signal).catch(
    (error) => {
      throw signal.aborted
        ? internalError(`A command in ${container} could not be stopped in time`, {
            reason: 'engine-busy',
          })
        : error
    },
  )
  // Without a shell, the output is the Engine's error message.
  if (exitCode === 126 || exitCode === 127) return []
  return output.split('\n').filter((line) => /^\d+ /.test(line))
}

/** A command that is to be ended. */
export interface EndedCommand {
  client: EngineClient
  container: string
  mark: string
  /** The user that it runs as. */
  user: string | undefined
}
