/** The host of an entry in a list over several hosts. */
export interface HostFields {
  host_id: string
  host_name: string
}
