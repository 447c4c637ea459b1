import { sessionApi } from '../contract/school/session/session.calls.ts'
import { demoPassword } from '../server/demo/account-list.ts'
import { signIn, type Client } from '../server/testing/client.ts'
import { benchSchool } from './prepare.ts'

/** Signed-in people of the big school by account name; each signs in once. */
export interface Clients {
  (user: string): Promise<Client>
  /** Makes the service look the person up, which it then need not do again for a second. */
  warm(client: Client): Promise<void>
}

/** People who sign in at an address; their tokens hold for every process on the same database. */
export function clientsAt(address: string): Clients {
  const known = new Map<string, Promise<Client>>()
  const clients = (user: string) =>
    known.get(user) ?? known.set(user, signIn(address, benchSchool, user, demoPassword)).get(user)!
  return Object.assign(clients, { warm: async (client: Client) => void (await client.send(sessionApi.menuTree, {})) })
}
