import { version } from '../version.ts'

/**
 * Returns the commands that enrol an agent and start it, each for root on the host: with Node.js,
 * with the package or executable of the agent, and with the image.
 *
 * @param base the URL of the service
 */
export function enrolmentCommands(base: string, token: string) {
  const agent = 'container-stacks-agent'
  const socket = '/var/run/docker.sock'
  const container = [
    `docker run --detach --name ${agent} --restart unless-stopped`,
    '--read-only --cap-drop ALL --security-opt no-new-privileges',
    `--group-add "$(stat -c %g ${socket})" --volume ${socket}:${socket} --volume ${agent}:/data`,
    `--env AGENT_SERVER=${base} --env AGENT_TOKEN=${token}`,
    `container-stacks:${version} ${agent} run`,
  ]
  return {
    command: `curl -fsSL ${base}/api/v1/agents/install.sh | AGENT_TOKEN=${token} sh`,
    // The package has a unit. The executable alone has none and runs in the foreground.
    program_command: `AGENT_TOKEN=${token} ${agent} enrol --server ${base} && (systemctl restart ${agent} || ${agent} run)`,
    container_command: container.join(' '),
  }
}
