/**
 * The id of a host, which is never compared with a name and never shown. Responses of the API have
 * it. It is an enum of values that do not matter, because the types of `openapi-fetch` take
 * branded strings apart.
 */
export declare enum HostId {
  local = 'local',
  enrolled = 'enrolled',
}

/** The name of a host, which people choose and see. */
export declare enum HostName {
  local = 'local',
  enrolled = 'enrolled',
}

/** The id of the machine that the service runs on. */
export const localHostId = 'local' as HostId

/** Returns the id of a host that an address of a page, or a choice of a form, has as a text. */
export const asHostId = (text: string) => text as HostId

/** Returns a text that stands for the name of a host. */
export const asHostName = (text: string) => text as HostName
