import { broken } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { commandOutput } from './exec.ts'

/** The variable by which the processes of a command are known in its container: they hand it down to each other. */
export const markName = 'CONTAINER_STACKS_EXEC'

/** Milliseconds for the whole of it: it is done sooner, but Engines tell that late when a process holds on to its output. */
const deadline = 10_000

/**
 * The Engine tells a command's process id on the host alone. So those who have the mark are looked for inside; the command
 * itself is the one whose parent is outside, or which has that id where the container shares the host's. Every command
 * leads a process group of its own, which gets SIGHUP, and SIGKILL if the command is there a second later. What still has
 * the mark is printed. Words of a caller are not in it.
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

/** Ends the processes of a command as far as its container has the means. Gives those that are left, as `<id> <name>`. */
export async function endProcesses(
  { client, container, mark, user }: EndedCommand,
  hostPid: number,
): Promise<string[]> {
  const body = {
    Cmd: ['/bin/sh', '-c', script, 'sh', mark, `${hostPid}`],
    // Only who it belongs to may look at a process, also among those whom root is.
    User: user,
  }
  const signal = AbortSignal.timeout(deadline)
  const { exitCode, output } = await commandOutput(client, container, body, signal).catch(
    (error) => {
      throw signal.aborted ? broken(`A command in ${container} could not be ended in time`) : error
    },
  )
  // Without a shell the output is the Engine's complaint.
  if (exitCode === 126 || exitCode === 127) return []
  return output.split('\n').filter((line) => /^\d+ /.test(line))
}

/** What is known of a command that is to end. */
export interface EndedCommand {
  client: EngineClient
  container: string
  mark: string
  /** Whose it is. */
  user: string | undefined
}
