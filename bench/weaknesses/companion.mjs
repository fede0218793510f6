/** Loaded beside every server (`node --import`): tells how much memory it has had at most. */
process.on('message', (message) => {
  if (message === 'peak') process.send({ peakBytes: process.resourceUsage().maxRSS * 1024 });
});
// A server that has nothing left to do must be able to end.
process.channel.unref();
