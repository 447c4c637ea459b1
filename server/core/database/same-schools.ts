/** Numbers of schools, and which of them are the same; of each set which parameter names it. */
export class SameSchools {
  /** For each number the number it was joined to; itself where none. */
  readonly #joined: number[] = []
  readonly #named: boolean[] = []
  readonly #parameter: (number | undefined)[] = []

  /** A number that nothing is known of, or one that the caller names, by a parameter or otherwise. */
  add(isNamed = false, parameter?: number): number {
    this.#named.push(isNamed)
    this.#parameter.push(parameter)
    return this.#joined.push(this.#joined.length) - 1
  }

  isNamed(school: number): boolean {
    return this.#named[this.#root(school)]!
  }

  parameterOf(school: number): number | undefined {
    return this.#parameter[this.#root(school)]
  }

  join(one: number, other: number): void {
    const [low, high] = [this.#root(one), this.#root(other)].sort((a, b) => a - b) as [number, number]
    this.#joined[high] = low
    this.#named[low] ||= this.#named[high]!
    this.#parameter[low] ??= this.#parameter[high]
  }

  #root(school: number): number {
    let at = school
    while (this.#joined[at] !== at) at = this.#joined[at]!
    return at
  }
}
