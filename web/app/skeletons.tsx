/** What stands in for a screen while its code arrives: the shape of a list, without the kit. */
export function PageSkeleton() {
  return (
    <div className="page" role="status" aria-busy="true" aria-label="正在载入">
      <div className="bone" style={{ width: 160, height: 28 }} />
      <div className="bone" style={{ width: 240, height: 16, marginTop: 10 }} />
      <div className="card" style={{ marginTop: 20, padding: 20 }}>
        {[0, 1, 2, 3, 4, 5, 6, 7].map((line) => (
          <div key={line} className="bone" style={{ height: 18, margin: '11px 0', width: `${96 - (line % 3) * 9}%` }} />
        ))}
      </div>
    </div>
  )
}
