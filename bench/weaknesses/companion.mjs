/** Loaded into every server (`node --import`): reports its peak memory. */
process.on('message', (message) => {
  if (message === 'peak') process.send({ peakBytes: process.resourceUsage().maxRSS * 1024 });
});
// An idle server must be able to end.
process.channel.unref();
