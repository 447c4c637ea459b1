const maxStars = 5

/** How well a module is filled, 0 to 5 stars. */
export function Stars({ count }: { count: number }) {
  return (
    <span className="stars" role="img" aria-label={`${count} 星`}>
      {'★'.repeat(count)}
      <i>{'★'.repeat(maxStars - count)}</i>
    </span>
  )
}
