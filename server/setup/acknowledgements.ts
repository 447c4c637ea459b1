import { actorLifetime } from '../core/request/actor-cache.ts'

/**
 * Waits for other processes to say that they have heard, no longer than what they keep would have lasted by itself.
 */
export class Acknowledgements {
  private readonly waiting = new Map<number, () => void>()
  private last = 0

  /** @param tell sends the word under a number, with which it is to be acknowledged */
  ask(tell: (id: number) => void): Promise<void> {
    return new Promise((done) => {
      const id = ++this.last
      const finish = () => {
        clearTimeout(late)
        this.waiting.delete(id)
        done()
      }
      const late = setTimeout(finish, actorLifetime)
      this.waiting.set(id, finish)
      tell(id)
    })
  }

  heard(id: number): void {
    this.waiting.get(id)?.()
  }
}
